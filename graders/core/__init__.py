"""Records, scales, rubrics, contracts and errors: what every other layer stands on."""
