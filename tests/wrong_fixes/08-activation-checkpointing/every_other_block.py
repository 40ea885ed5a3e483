"""Only every other block is recomputed."""

EXERCISE = "blocks"
CHECK = "too many"
POINTS = 0
CELL = """
def forward_blocks(model, x):
    hidden = model.encoder(x)
    for number, block in enumerate(model.blocks):
        if number % 2 or isinstance(block.norm, nn.BatchNorm1d):
            hidden = block(hidden)
        else:
            hidden = checkpoint(block, hidden, use_reentrant=False)
    return model.head(hidden)
"""
