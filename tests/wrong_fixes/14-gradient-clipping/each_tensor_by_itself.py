"""A norm for each tensor: it may train, in another direction.

https://github.com/huggingface/transformers/issues/581
"""

EXERCISE = "threshold"
CHECK = "too many"
POINTS = 2
CELL = """
def clip(parameters) -> None:
    for parameter in parameters:
        nn.utils.clip_grad_norm_([parameter], max_norm=64.0)
"""
