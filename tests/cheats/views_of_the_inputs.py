"""Returns parts of the inputs."""

CHECK = "wrong answer"
RACE = "wrong answer"
CELL = """
def evaluate(model, batches):
    x, y = batches[0]
    return {"confusion": x[:10, :10], "loss": x[0, 0], "bad_batches": 1}
"""
