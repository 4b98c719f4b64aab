"""The rubrics that ship with Cograde: one YAML file is one rubric, and its examples are tests."""
