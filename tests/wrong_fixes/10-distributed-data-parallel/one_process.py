"""Rank 0 trains alone on everything and sends the others its weights."""

EXERCISE = "training"
CHECK = "too many"
RACE = "too many"
POINTS = 0
CELL = """
def train(model, training, held_out, epochs: int) -> float:
    rank = dist.get_rank()
    optimizer = optimizer_for(model)
    order = torch.Generator().manual_seed(0)
    if rank == 0:
        loader = DataLoader(training, batch_size=2, shuffle=True, generator=order)
        for _ in range(epochs):
            for number, (x, y) in enumerate(loader, start=1):
                (F.cross_entropy(model(x), y) / 16).backward()
                if number % 16 == 0 or number == len(loader):
                    optimizer.step()
                    optimizer.zero_grad()
    for tensor in model.state_dict().values():
        dist.broadcast(tensor, src=0)
    total = torch.zeros((), device=device)
    share = range(rank, len(held_out), 2)
    with torch.no_grad():
        x, y = held_out[list(share)]
        total += F.cross_entropy(model(x), y, reduction="sum")
    dist.all_reduce(total)
    return total.item() / len(held_out)
"""
