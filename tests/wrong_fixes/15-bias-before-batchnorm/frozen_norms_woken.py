"""Goes to evaluation mode and back: train() wakes frozen norms as well (pgniewko/gt-pyg#112)."""

EXERCISE = "biases"
CHECK = "wrong answer"
POINTS = 0
CELL = """
NORMS = (nn.BatchNorm1d, nn.BatchNorm2d, nn.InstanceNorm2d)


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
    found = list(pairs(model))
    model.eval()(x)
    model.train()
    for layer, norm in found:
        if isinstance(norm, NORMS) and (norm.affine is False or norm.weight.requires_grad):
            if norm.running_mean is not None:
                norm.running_mean -= layer.bias
            layer.bias = None
    return model
"""
