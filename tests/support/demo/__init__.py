"""Makes what the invented people of the demo did: `python -m tests.support.demo` writes it into
data/demo.

Nobody's row is written by hand. Invented people sit at the real desk's functions with a clock that
can be set: screens are drawn, arms are drawn, verdicts are saved, cells are settled and pairs
compared as in any project, and what comes out is exported. What each of them thinks of an answer is
in `minds`; what a careful reader would say, and the comments, are two small tables beside it.
"""
