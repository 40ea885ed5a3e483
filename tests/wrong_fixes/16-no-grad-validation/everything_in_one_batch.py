"""No graph, and the whole set at once: more memory than the graph of one batch."""

EXERCISE = "validation"
CHECK = "too many"
RACE = ("passed", "not measurable here")
POINTS = 8
CELL = """
@torch.no_grad()
def validate(model, batches) -> tuple:
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    x, y = (torch.cat(tensors) for tensors in zip(*batches))
    output = model(x)
    loss, accuracy = F.cross_entropy(output, y), (output.argmax(1) == y).float().mean()
    for module, training in modes:
        module.training = training
    return loss.item(), accuracy.item()
"""
