"""Compiles code under the name of a file of PyTorch, and looks at frames there."""

CHECK = "rejected"
RACE = "rejected"
CELL = """
exec(compile("import sys\\n\\ndef look():\\n    return sys._getframe(2)", torch.__file__, "exec"))


def evaluate(model, batches):
    look().f_locals
    return dict(evaluate_slow(model, batches))
"""
