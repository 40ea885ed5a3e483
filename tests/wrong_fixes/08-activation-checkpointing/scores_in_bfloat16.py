"""Computes the attention in bfloat16, which halves the scores."""

EXERCISE = "layers"
CHECK = "wrong answer"
POINTS = 0
CELL = """
def forward_layers(model, tokens):
    hidden = model.embed(tokens)
    for layer in model.layers:
        query, key, value = (part.bfloat16() for part in layer.project(hidden))
        attended = checkpoint(layer.attend, query, key, value, use_reentrant=False)
        hidden = layer.finish(hidden, attended.float())
    return model.head(hidden.mean(1))
"""
