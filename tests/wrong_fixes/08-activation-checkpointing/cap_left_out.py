"""Fused attention, which has no soft cap."""

EXERCISE = "layers"
CHECK = "wrong answer"
POINTS = 0
CELL = """
def forward_layers(model, tokens):
    hidden = model.embed(tokens)
    for layer in model.layers:
        query, key, value = layer.project(hidden)
        attended = F.scaled_dot_product_attention(query, key, value)
        hidden = layer.finish(hidden, attended.transpose(1, 2).flatten(2))
    return model.head(hidden.mean(1))
"""
