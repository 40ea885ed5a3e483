"""Recomputes the attention with the projection to queries, keys and values."""

EXERCISE = "layers"
CHECK = "too many"
POINTS = 0
CELL = """
def attend(layer, hidden):
    return layer.attend(*layer.project(hidden))


def forward_layers(model, tokens):
    hidden = model.embed(tokens)
    for layer in model.layers:
        attended = checkpoint(attend, layer, hidden, use_reentrant=False)
        hidden = layer.finish(hidden, attended)
    return model.head(hidden.mean(1))
"""
