"""Recomputes the part of a layer that is dear and small: over the 30 MB."""

EXERCISE = "layers"
CHECK = "too many"
POINTS = 0
CELL = """
def forward_layers(model, tokens):
    hidden = model.embed(tokens)
    for layer in model.layers:
        attended = layer.attend(*layer.project(hidden))
        hidden = checkpoint(layer.finish, hidden, attended, use_reentrant=False)
    return model.head(hidden.mean(1))
"""
