"""The random state is not preserved, so that gradients come from other dropout masks.

https://github.com/allenai/OLMo-core/pull/828
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
            hidden = checkpoint(block, hidden, use_reentrant=False, preserve_rng_state=False)
    return model.head(hidden)
"""
