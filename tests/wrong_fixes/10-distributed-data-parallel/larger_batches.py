"""Saves messages by batches eight times as large, which accumulation was there to avoid."""

EXERCISE = "training"
CHECK = "too many"
RACE = "too many"
POINTS = 0
CELL = """
from torch.utils.data import Subset


def train(model, training, held_out, epochs: int) -> float:
    rank, world = dist.get_rank(), dist.get_world_size()
    sampler = DistributedSampler(training)
    loader = DataLoader(training, batch_size=16, sampler=sampler)
    model.projector.requires_grad_(False)
    ddp = DDP(model, gradient_as_bucket_view=True)
    optimizer = optimizer_for(model)
    for epoch in range(epochs):
        sampler.set_epoch(epoch)
        for number, (x, y) in enumerate(loader, start=1):
            ends_step = True
            with nullcontext() if ends_step else ddp.no_sync():
                loss = F.cross_entropy(ddp(x), y)
                loss.backward()
            if ends_step:
                optimizer.step()
                optimizer.zero_grad()
    total = torch.zeros((), device=device)
    share = Subset(held_out, range(rank, len(held_out), world))
    with torch.no_grad():
        for x, y in DataLoader(share, batch_size=16):
            total += F.cross_entropy(model(x), y, reduction="sum")
    dist.all_reduce(total)
    return total.item() / len(held_out)
"""
