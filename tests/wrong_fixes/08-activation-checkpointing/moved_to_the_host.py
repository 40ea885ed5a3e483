"""Moves what is saved to the host: no memory is freed on a CPU, and a GPU would wait for it."""

EXERCISE = "blocks"
CHECK = "too many"
POINTS = 0
CELL = """
def forward_blocks(model, x):
    hidden = model.encoder(x)
    with torch.autograd.graph.save_on_cpu():
        for block in model.blocks:
            hidden = block(hidden)
    return model.head(hidden)
"""
