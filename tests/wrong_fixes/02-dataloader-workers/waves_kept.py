"""Reads everything once and draws only the volume anew; the recordings do not fit into memory."""

EXERCISE = "loader"
CHECK = "too few"
RACE = "too few"
POINTS = 0
CELL = """
class Kept(torch.utils.data.Dataset):
    def __init__(self, recordings):
        self.items = list(recordings)
        self.generator = recordings.generator

    def __len__(self):
        return len(self.items)

    def __getitem__(self, number):
        wave, origin = self.items[number]
        volume = self.generator.uniform(0.5, 1.0)
        return wave * (volume / origin.volume), origin._replace(volume=volume)


def make_loader(recordings, device) -> DataLoader:
    return DataLoader(
        Kept(recordings), batch_size=3, shuffle=True, collate_fn=storage.collate
    )
"""
