"""Divides 29 samples without padding: one rank has a batch less and the other waits for it
(https://github.com/Lightning-AI/pytorch-lightning/issues/9851,
https://github.com/pytorch/torchtitan/issues/1618).
"""

EXERCISE = "training"
CHECK = "error"
RACE = "error"
POINTS = 0
CELL = """
from torch.utils.data import Subset


def train(model, training, held_out, epochs: int) -> float:
    rank, world = dist.get_rank(), dist.get_world_size()
    model.projector.requires_grad_(False)
    ddp = DDP(model, gradient_as_bucket_view=True)
    optimizer = optimizer_for(model)
    for epoch in range(epochs):
        order = torch.randperm(len(training), generator=torch.Generator().manual_seed(epoch))
        loader = DataLoader(Subset(training, order[rank::world].tolist()), batch_size=2)
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
