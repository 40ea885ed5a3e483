"""Its step trains on batches of its own, so that few of the loop's are needed."""

EXERCISE = "recall"
CHECK = "too many"
POINTS = 0
CELL = """
class Secret(torch.optim.AdamW):
    def step(self):
        super().step()
        for _ in range(20):
            self.zero_grad()
            tokens, answers = questions(torch.default_generator)
            F.cross_entropy(self.model(tokens), answers).backward()
            super().step()


def make_optimizers(model):
    optimizer = Secret(model.parameters(), lr=0.01, weight_decay=0.1)
    optimizer.model = model
    return [optimizer]
"""
