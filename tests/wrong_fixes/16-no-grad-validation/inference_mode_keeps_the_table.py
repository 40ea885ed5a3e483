"""inference_mode, and the table that was built in it is used for training.

https://github.com/Dao-AILab/flash-attention/pull/299
"""

EXERCISE = "validation"
CHECK = "too few"
RACE = "too few"
POINTS = 0
CELL = """
@torch.inference_mode()
def validate(model, batches) -> tuple:
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    loss = correct = samples = 0
    for start in range(0, len(batches), 4):
        x, y = (torch.cat(tensors) for tensors in zip(*batches[start : start + 4]))
        output = model(x)
        loss += F.cross_entropy(output, y, reduction="sum")
        correct += (output.argmax(1) == y).sum()
        samples += len(y)
    for module, training in modes:
        module.training = training
    return (loss / samples).item(), (correct / samples).item()
"""
