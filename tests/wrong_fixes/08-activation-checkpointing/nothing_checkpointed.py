"""The least work there is, and more memory than the device has."""

EXERCISE = "layers"
CHECK = "too many"
POINTS = 0
CELL = """
def forward_layers(model, tokens):
    hidden = model.embed(tokens)
    for layer in model.layers:
        hidden = layer(hidden)
    return model.head(hidden.mean(1))
"""
