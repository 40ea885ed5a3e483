"""Every rank shuffles the whole data set with a seed of its own and takes the first half of that:
parts overlap, samples are missing.
"""

EXERCISE = "training"
CHECK = "too many"
RACE = "too many"
POINTS = 0
CELL = """
from torch.utils.data import Subset


def train(model, training, held_out, epochs: int) -> float:
    rank, world = dist.get_rank(), dist.get_world_size()
    generator = torch.Generator().manual_seed(rank)
    model.projector.requires_grad_(False)
    ddp = DDP(model, gradient_as_bucket_view=True)
    optimizer = optimizer_for(model)
    for _ in range(epochs):
        half = torch.randperm(len(training), generator=generator)[:15].tolist()
        loader = DataLoader(Subset(training, half), batch_size=2)
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
