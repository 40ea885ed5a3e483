"""Pairs each layer with the module registered next to it instead of the one that runs next."""

EXERCISE = "biases"
CHECK = "wrong answer"
POINTS = 0
CELL = """
@torch.no_grad()
def drop_redundant_biases(model, x):
    model = copy.deepcopy(model)
    modules = [module for module in model.modules() if not list(module.children())]
    for layer, norm in zip(modules, modules[1:]):
        if isinstance(layer, LAYERS) and isinstance(norm, nn.BatchNorm2d):
            if norm.running_mean is not None and layer.bias.shape == norm.running_mean.shape:
                norm.running_mean -= layer.bias
            layer.bias = None
    return model
"""
