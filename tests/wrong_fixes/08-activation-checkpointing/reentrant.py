"""The reentrant variant behind a frozen encoder: blocks silently get no gradient.

https://github.com/huggingface/transformers/issues/21381
"""

EXERCISE = "blocks"
CHECK = "wrong answer"
POINTS = 0
CELL = """
def forward_blocks(model, x):
    hidden = model.encoder(x)
    for block in model.blocks:
        if isinstance(block.norm, nn.BatchNorm1d):
            hidden = block(hidden)
        else:
            hidden = checkpoint(block, hidden, use_reentrant=True)
    return model.head(hidden)
"""
