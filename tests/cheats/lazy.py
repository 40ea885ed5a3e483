"""Computes when somebody looks, which is not counted."""

CHECK = "wrong answer"
RACE = "wrong answer"
CELL = """
class Lazy(dict):
    def __init__(self, model, batches):
        super().__init__(confusion=0, loss=0, bad_batches=0)
        self.work = lambda: evaluate_slow(model, batches)

    def items(self):
        self.update(self.work())
        return super().items()

    def values(self):
        self.update(self.work())
        return super().values()


def evaluate(model, batches):
    return Lazy(model, batches)
"""
