"""When a rank computes and when it communicates, in one training step."""

import time

import torch
import torch.distributed as dist
import torch.nn.functional as F
from networks import batches, deep_network
from torch.nn.parallel import DistributedDataParallel

Spans = list[tuple[float, float]]


def step_timeline(by_hand: bool) -> tuple[Spans, Spans]:
    """(start, duration) in ms: of forward and backward together, and of every all-reduce.

    Of the last of three steps on batches of 32, on the CPU over gloo, where the host sees both.
    `by_hand`: a blocking all-reduce for every parameter after backward; else DDP.
    """
    group = dist.new_group(backend="gloo")
    model = deep_network(seed=0)
    messages: Spans = []
    start = computed = 0.0

    def now() -> float:
        return 1000 * (time.perf_counter() - start)

    def averaged(tensor: torch.Tensor) -> torch.futures.Future[torch.Tensor]:
        sent = now()
        tensor /= dist.get_world_size()

        def received(future):
            messages.append((sent, now() - sent))
            return future.value()[0]

        return dist.all_reduce(tensor, group=group, async_op=True).get_future().then(received)

    def on_bucket(state, bucket):
        return averaged(bucket.buffer())

    def on_last_gradient(parameter):
        nonlocal computed
        computed = now()

    model[0].weight.register_post_accumulate_grad_hook(on_last_gradient)
    trained = model
    if not by_hand:
        trained = DistributedDataParallel(model, process_group=group)
        trained.register_comm_hook(None, on_bucket)
    for x, y in batches(seed=dist.get_rank(), count=3, size=32, device=torch.device("cpu")):
        messages.clear()
        dist.barrier(group)
        start = time.perf_counter()
        F.cross_entropy(trained(x), y).backward()
        if by_hand:
            for parameter in model.parameters():
                averaged(parameter.grad).wait()
        model.zero_grad()
    dist.destroy_process_group(group)
    return [(0.0, computed)], messages
