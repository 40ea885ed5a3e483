"""Takes the bias from every layer, also without a norm (udacity/deep-learning-v2-pytorch#200)."""

EXERCISE = "biases"
CHECK = "wrong answer"
POINTS = 0
CELL = """
def drop_redundant_biases(model, x):
    model = copy.deepcopy(model)
    for layer in model.modules():
        if isinstance(layer, LAYERS):
            layer.bias = None
    return model
"""
