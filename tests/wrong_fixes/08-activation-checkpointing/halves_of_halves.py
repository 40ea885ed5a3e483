"""Checkpoints in checkpoints: hardly any memory, and the blocks are computed up to four times."""

EXERCISE = "blocks"
CHECK = "too many"
POINTS = 0
CELL = """
def run(blocks, hidden):
    if len(blocks) == 1:
        return blocks[0](hidden)
    for part in (blocks[: len(blocks) // 2], blocks[len(blocks) // 2 :]):
        hidden = checkpoint(run, part, hidden, use_reentrant=False)
    return hidden


def forward_blocks(model, x):
    hidden = model.encoder(x)
    kinds = [isinstance(block.norm, nn.BatchNorm1d) for block in model.blocks]
    middle = kinds.index(True)
    hidden = checkpoint(run, model.blocks[:middle], hidden, use_reentrant=False)
    hidden = model.blocks[middle](hidden)
    hidden = checkpoint(run, model.blocks[middle + 1 :], hidden, use_reentrant=False)
    return model.head(hidden)
"""
