"""One checkpoint on each side of the BatchNorm: little is kept, and much returns at once."""

EXERCISE = "blocks"
CHECK = "too many"
POINTS = 3
CELL = """
def forward_blocks(model, x):
    hidden = model.encoder(x)
    kinds = [isinstance(block.norm, nn.BatchNorm1d) for block in model.blocks]
    middle = kinds.index(True)
    hidden = checkpoint(nn.Sequential(*model.blocks[:middle]), hidden, use_reentrant=False)
    hidden = model.blocks[middle](hidden)
    hidden = checkpoint(nn.Sequential(*model.blocks[middle + 1 :]), hidden, use_reentrant=False)
    return model.head(hidden)
"""
