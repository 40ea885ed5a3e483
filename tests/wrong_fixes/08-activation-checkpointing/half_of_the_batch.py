"""Uses half of the sequences twice, which needs half of the memory."""

EXERCISE = "layers"
CHECK = "wrong answer"
POINTS = 0
CELL = """
def forward_layers(model, tokens):
    hidden = model.embed(tokens[:4])
    for layer in model.layers:
        hidden = layer(hidden)
    return model.head(hidden.mean(1)).repeat(2, 1)
"""
