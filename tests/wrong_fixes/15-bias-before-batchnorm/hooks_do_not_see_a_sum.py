"""Pairs by forward hooks: they see modules only, not the sum that reads the output as well."""

EXERCISE = "biases"
CHECK = "wrong answer"
POINTS = 0
CELL = """
NORMS = (nn.BatchNorm1d, nn.BatchNorm2d, nn.InstanceNorm2d)


@torch.no_grad()
def drop_redundant_biases(model, x):
    model, probe = copy.deepcopy(model), copy.deepcopy(model)
    calls = []
    for name, module in probe.named_modules():
        if isinstance(module, LAYERS + NORMS):
            module.register_forward_hook(
                lambda _, inputs, output, name=name: calls.append((name, inputs[0], output))
            )
    probe(x)
    names = [name for name, _, _ in calls]
    for name, _, output in calls:
        readers = [reader for reader, given, _ in calls if given is output]
        layer = model.get_submodule(name)
        if isinstance(layer, LAYERS) and len(readers) == names.count(name) == 1:
            norm = model.get_submodule(readers[0])
            if isinstance(norm, NORMS) and (norm.training or norm.running_mean is None):
                if norm.running_mean is not None:
                    norm.running_mean -= layer.bias
                layer.bias = None
    return model
"""
