"""Functions that programs call at ``/call``: a module is one, and its name is the function's.

Each defines `call`, whose first argument is the `Caller`. The others and what comes back have
types, and the docstring says what each argument is. It asks one use case, which checks who may.
"""
