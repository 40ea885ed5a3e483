"""The blocks run without a graph, and nothing recomputes them."""

EXERCISE = "blocks"
CHECK = "wrong answer"
POINTS = 0
CELL = """
def forward_blocks(model, x):
    with torch.no_grad():
        hidden = model.encoder(x)
        for block in model.blocks:
            hidden = block(hidden)
    return model.head(hidden)
"""
