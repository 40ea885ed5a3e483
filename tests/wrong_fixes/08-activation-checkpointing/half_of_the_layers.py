"""Every other layer stays plain: it fits, and still recomputes matrix products."""

EXERCISE = "layers"
CHECK = "too many"
POINTS = 0
CELL = """
def forward_layers(model, tokens):
    hidden = model.embed(tokens)
    for number, layer in enumerate(model.layers):
        if number % 2:
            hidden = layer(hidden)
        else:
            hidden = checkpoint(layer, hidden, use_reentrant=False)
    return model.head(hidden.mean(1))
"""
