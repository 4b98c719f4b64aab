"""Makes what the invented people of the demo said of pairs: `python -m tests.support.demo_pairs` writes it into data/pairs.

Nobody's row is written by hand. Invented people sit at the real desk's functions with a clock that can be set: pairs are drawn, screens
handed out, verdicts saved as in any project, and what comes out is exported.
"""
