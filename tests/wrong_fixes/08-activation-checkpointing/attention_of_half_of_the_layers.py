"""The right part, in every other layer only: over the 30 MB."""

EXERCISE = "layers"
CHECK = "too many"
POINTS = 0
CELL = """
def forward_layers(model, tokens):
    hidden = model.embed(tokens)
    for number, layer in enumerate(model.layers):
        query, key, value = layer.project(hidden)
        if number % 2:
            attended = layer.attend(query, key, value)
        else:
            attended = checkpoint(layer.attend, query, key, value, use_reentrant=False)
        hidden = layer.finish(hidden, attended)
    return model.head(hidden.mean(1))
"""
