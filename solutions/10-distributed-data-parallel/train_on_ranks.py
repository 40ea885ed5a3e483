"""A whole data-parallel training: every rank trains on its share, rank 0 writes the checkpoint.

usage: torchrun --standalone --nproc-per-node=2 train_on_ranks.py CHECKPOINT
"""

import os
import sys
from datetime import timedelta

import torch
import torch.distributed as dist
import torch.nn.functional as F
from networks import batches, small_network
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset


def main(checkpoint: str) -> None:
    on_gpus = torch.cuda.device_count() >= int(os.environ["WORLD_SIZE"])
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"])) if on_gpus else torch.device("cpu")
    if on_gpus:
        torch.cuda.set_device(device)
    # A rank that waits for another one gives up after this time; without it after half an hour.
    dist.init_process_group("nccl" if on_gpus else "gloo", timeout=timedelta(seconds=30))

    training = TensorDataset(*batches(seed=0, count=1, size=301, device=device)[0])
    sampler = DistributedSampler(training)  # pads 301 to 302: every rank has 151
    loader = DataLoader(training, batch_size=16, sampler=sampler)
    ddp = DDP(small_network(seed=0).to(device), gradient_as_bucket_view=True)
    optimizer = torch.optim.SGD(ddp.parameters(), lr=0.1)
    for epoch in range(5):
        sampler.set_epoch(epoch)  # else every epoch has the order of the first
        total = torch.zeros((), device=device)
        for x, y in loader:
            loss = F.cross_entropy(ddp(x), y)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            total += loss.detach()
        dist.all_reduce(total)  # each rank has seen its share only
        if dist.get_rank() == 0:
            mean = total.item() / len(loader) / dist.get_world_size()
            print(f"epoch {epoch}: loss {mean:.3f}")

    if dist.get_rank() == 0:  # all ranks hold the same weights: one writes them
        beside = f"{checkpoint}.part"
        torch.save(ddp.module.state_dict(), beside)  # .module: names without "module."
        os.replace(beside, checkpoint)
    dist.barrier()  # now every rank may read it
    dist.destroy_process_group()


if __name__ == "__main__":
    main(sys.argv[1])
    # torch 2.13: a rank that used gloo is sometimes aborted while Python ends, its work done.
    sys.stdout.flush()
    os._exit(0)
