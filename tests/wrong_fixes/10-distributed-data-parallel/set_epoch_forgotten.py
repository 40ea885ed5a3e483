"""Never tells the sampler the epoch, so that every epoch has the same order
(https://github.com/pytorch/pytorch/issues/31771).
"""

EXERCISE = "training"
CHECK = "too many"
RACE = ("passed", "inconclusive", "not measurable here")
POINTS = 9
CELL = """
from torch.utils.data import Subset


def train(model, training, held_out, epochs: int) -> float:
    rank, world = dist.get_rank(), dist.get_world_size()
    sampler = DistributedSampler(training)
    loader = DataLoader(training, batch_size=2, sampler=sampler)
    model.projector.requires_grad_(False)
    ddp = DDP(model, gradient_as_bucket_view=True)
    optimizer = optimizer_for(model)
    for _ in range(epochs):
        for number, (x, y) in enumerate(loader, start=1):
            ends_step = number % 8 == 0
            with nullcontext() if ends_step else ddp.no_sync():
                loss = F.cross_entropy(ddp(x), y) / 8
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
