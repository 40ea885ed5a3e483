"""Every block is recomputed, the one with the BatchNorm too.

https://github.com/pytorch/pytorch/issues/96136
"""

EXERCISE = "blocks"
CHECK = "wrong answer"
POINTS = 0
CELL = """
def forward_blocks(model, x):
    hidden = model.encoder(x)
    for block in model.blocks:
        hidden = checkpoint(block, hidden, use_reentrant=False)
    return model.head(hidden)
"""
