"""Computes in 16 bits."""

CHECK = "wrong answer"
RACE = "wrong answer"
CELL = """
def evaluate(model, batches):
    half = nn.Linear(32, 10, dtype=torch.bfloat16)
    half.load_state_dict(model.state_dict())
    return honest(half, [(x.bfloat16(), y) for x, y in batches])
"""
