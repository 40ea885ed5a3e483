"""Dropout is left out, so that nothing random has to be repeated."""

EXERCISE = "blocks"
CHECK = "wrong answer"
POINTS = 0
CELL = """
def without_dropout(block, hidden):
    return hidden + block.down(F.gelu(block.up(block.norm(hidden))))


def forward_blocks(model, x):
    hidden = model.encoder(x)
    for block in model.blocks:
        if isinstance(block.norm, nn.BatchNorm1d):
            hidden = block(hidden)
        else:
            hidden = checkpoint(without_dropout, block, hidden, use_reentrant=False)
    return model.head(hidden)
"""
