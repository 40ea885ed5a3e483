"""The BatchNorm is put into evaluation mode, so that its statistics stay where they are."""

EXERCISE = "blocks"
CHECK = "wrong answer"
POINTS = 0
CELL = """
def forward_blocks(model, x):
    hidden = model.encoder(x)
    for block in model.blocks:
        if isinstance(block.norm, nn.BatchNorm1d):
            block.norm.eval()
        hidden = checkpoint(block, hidden, use_reentrant=False)
    return model.head(hidden)
"""
