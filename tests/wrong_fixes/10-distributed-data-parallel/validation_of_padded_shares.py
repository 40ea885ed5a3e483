"""Validates what DistributedSampler hands out, which counts a held-out sample twice
(https://github.com/pytorch/pytorch/issues/25162).
"""

EXERCISE = "training"
CHECK = "too many"
RACE = "too many"
POINTS = 0
CELL = """
from torch.utils.data import Subset


def train(model, training, held_out, epochs: int) -> float:
    rank, world = dist.get_rank(), dist.get_world_size()
    sampler = DistributedSampler(training)
    loader = DataLoader(training, batch_size=2, sampler=sampler)
    model.projector.requires_grad_(False)
    ddp = DDP(model, gradient_as_bucket_view=True)
    optimizer = optimizer_for(model)
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        for number, (x, y) in enumerate(loader, start=1):
            ends_step = number % 8 == 0
            with nullcontext() if ends_step else ddp.no_sync():
                loss = F.cross_entropy(ddp(x), y) / 8
                loss.backward()
            if ends_step:
                optimizer.step()
                optimizer.zero_grad()
    total = torch.zeros((), device=device)
    share = DistributedSampler(held_out, shuffle=False)
    with torch.no_grad():
        for x, y in DataLoader(held_out, batch_size=16, sampler=share):
            total += F.cross_entropy(model(x), y, reduction="sum")
    dist.all_reduce(total)
    return total.item() / (world * len(share))
"""
