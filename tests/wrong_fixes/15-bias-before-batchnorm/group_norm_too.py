"""Takes every norm to subtract the mean of each channel: GroupNorm and LayerNorm do not."""

EXERCISE = "biases"
CHECK = "wrong answer"
POINTS = 0
CELL = """
NORMS = (nn.BatchNorm1d, nn.BatchNorm2d, nn.InstanceNorm2d)
NORMS += (nn.GroupNorm, nn.LayerNorm)


def pairs(model):
    # (layer, norm) that run one after the other, each once, with nobody in between
    nodes = [n for n in fx.symbolic_trace(model).graph.nodes if n.op == "call_module"]
    targets = [node.target for node in nodes]
    for node in nodes:
        (reader, *others) = node.users
        if others or reader.op != "call_module" or targets.count(node.target) > 1:
            continue
        layer, norm = (model.get_submodule(n.target) for n in (node, reader))
        if isinstance(layer, LAYERS):
            yield layer, norm


@torch.no_grad()
def drop_redundant_biases(model, x):
    model = copy.deepcopy(model)
    for layer, norm in pairs(model):
        if isinstance(norm, NORMS) and norm.training:
            if getattr(norm, "running_mean", None) is not None:
                norm.running_mean -= layer.bias
            layer.bias = None
    return model
"""
