"""Run whole notebooks as a learner would, with papermill, and read the scores off their outputs."""

import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from grader.score import MIME

CELL_TIMEOUT = 120  # seconds


@dataclass(frozen=True)
class Execution:
    """How one notebook ended. `error` is the last line of what stopped it, or empty."""

    notebook: Path
    output: Path
    seconds: float
    scores: dict[str, dict] = field(default_factory=dict)  # grade_id -> exercise, outcome, points…
    maximum: float = 0
    error: str = ""

    @property
    def points(self) -> float:
        return sum(score["points"] for score in self.scores.values())


def execute(
    notebook: Path,
    output: Path,
    parameters: Mapping[str, object] | None = None,
    timeout: int = CELL_TIMEOUT,
    progress: bool = True,
) -> Execution:
    """Run one notebook in its own folder and keep the executed copy in `output`.

    `timeout`: seconds for a cell. A notebook that fails is reported, not raised. Raises
    RuntimeError where papermill is missing.
    """
    try:
        import nbformat
        import papermill
        from nbclient.exceptions import CellTimeoutError, DeadKernelError
        from papermill.exceptions import PapermillException
    except ImportError as missing:
        raise RuntimeError(
            f"running notebooks needs {missing.name}: pip install -e '.[course]'"
        ) from missing
    logging.getLogger("papermill").setLevel(logging.ERROR)
    output.parent.mkdir(parents=True, exist_ok=True)
    start, error = time.monotonic(), ""
    try:
        papermill.execute_notebook(
            notebook,
            output,
            parameters=dict(parameters or {}),
            cwd=notebook.parent,
            execution_timeout=timeout,
            progress_bar=progress and {"desc": notebook.stem, "leave": False},
        )
    except (PapermillException, CellTimeoutError, DeadKernelError, RuntimeError) as stopped:
        lines = [line for line in str(stopped).splitlines() if line.strip()] or [repr(stopped)]
        error = lines[-1].strip()
    seconds = time.monotonic() - start
    if not output.exists():
        return Execution(notebook, output, seconds, error=error)
    executed = nbformat.read(output, as_version=4)
    return Execution(notebook, output, seconds, *_scores(executed), error)


def _scores(executed) -> tuple[dict[str, dict], float]:
    """The scores of an executed notebook by grade_id, and how many points there are."""
    scores, maximum = {}, 0.0
    for cell in executed.cells:
        grading = cell.metadata.get("nbgrader", {})
        if not grading.get("grade"):
            continue
        maximum += grading["points"]
        for result in cell.outputs:
            if MIME in result.get("data", {}):
                scores[grading["grade_id"]] = dict(result["data"][MIME])
    return scores, maximum


def scoreboard(executions: list[Execution]) -> str:
    """One line a notebook, and one for every graded cell that did not pass."""
    lines = []
    for done in executions:
        state = "stopped" if done.error else "ran"
        lines.append(
            f"{done.notebook.stem:32}  {done.points:4g} of {done.maximum:g} points  "
            f"{state} in {done.seconds:.0f} s"
        )
        for grade_id, score in done.scores.items():
            if score["outcome"] != "passed":
                lines.append(f"    {grade_id}: {score['outcome']}: {score['message']}")
        if done.error:
            lines.append(f"    {done.error}")
    return "\n".join(lines)
