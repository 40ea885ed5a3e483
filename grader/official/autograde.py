"""`python -m grader autograde`: nbgrader's autograde of a class, one submission after the other.

What nbgrader does with each is `grader.nbgrader_plugins.configure`. This adds progress, goes on
where an earlier run was stopped, and ends with a list of those that need a person.
"""

import logging
import time
import warnings
from pathlib import Path

from nbgrader.converters import Autograde
from nbgrader.converters.base import NbGraderException
from nbgrader.coursedir import CourseDirectory
from sqlalchemy.exc import SAWarning
from traitlets.config import Config, PyFileConfigLoader

from grader.official import sandbox, verdicts


def autograde(
    root: Path,
    assignment: str,
    *,
    student: str = "*",
    retry: bool = False,
    again: bool = False,
    sandboxed: bool = True,
) -> int:
    """Grade the submissions to an assignment of the course in the folder `root`.

    `student`: an id, or a pattern. `retry`: those with open verdicts only. `again`: also what has
    been graded and has not changed. `sandboxed=False`: whatever nbgrader_config.py says. Returns
    how many need a person. Raises ValueError where there is nothing to grade, SandboxError where
    there is no sandbox.
    """
    config = PyFileConfigLoader("nbgrader_config.py", str(root)).load_config()
    if not sandboxed:
        config.ExecuteEveryCell.sandboxed = config.OfficialScores.sandboxed = False
    if not config.OfficialScores.sandboxed:
        print(f"Sandbox: {sandbox.WITHOUT}.")
    elif why := sandbox.obstacle():
        raise sandbox.SandboxError(why)
    students = [
        path.parent.name for path in sorted(root.glob(f"var/submitted/{student}/{assignment}"))
    ]
    submissions = [_Submission(root, name, assignment) for name in students]
    if retry:
        submissions = [one for one in submissions if verdicts.open_cells(one.kept())]
    if not submissions:
        raise ValueError(
            f"nothing to grade: no {'open verdict' if retry else 'submission'} in "
            f"var/submitted/{student}/{assignment}"
        )
    in_need = []
    seconds: list[float] = []
    # nbgrader's own, for the first submission of each student; nbclient's, where a kernel has died.
    warnings.filterwarnings("ignore", category=SAWarning)
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    for number, one in enumerate(submissions, start=1):
        start, skipped = time.monotonic(), not again and one.is_graded()
        problem = "" if skipped else one.grade(config, again=again)
        if not skipped:
            seconds.append(time.monotonic() - start)
        problem = problem or one.open_verdicts()
        if problem:
            in_need.append(one.student)
        left = len(submissions) - number
        done = "unchanged" if skipped else f"{seconds[-1]:.0f} s" + _left(seconds, left)
        print(
            f"[{number}/{len(submissions)}] {one.student}: {problem or one.points()} ({done})",
            flush=True,
        )
    if in_need:
        print(f"{len(in_need)} of {len(submissions)} need a person, or --retry:", *in_need)
    return len(in_need)


def _left(seconds: list[float], submissions: int) -> str:
    if not submissions:
        return ""
    return f"; about {submissions * sum(seconds) / len(seconds) / 60:.0f} min left"


class _Submission:
    def __init__(self, root: Path, student: str, assignment: str) -> None:
        self.root, self.student, self.assignment = root, student, assignment
        self.file = verdicts.file_of(root, student, assignment)

    def kept(self) -> dict:
        return verdicts.read(self.file)

    def points(self) -> str:
        return f"{sum(score['points'] for score in self.kept()['cells'].values()):g} points"

    def open_verdicts(self) -> str:
        reasons = verdicts.open_cells(self.kept())
        return "; ".join(f"{cell}: {reason}" for cell, reason in reasons.items())

    def is_graded(self) -> bool:
        """Whether an earlier run has graded this submission, as it is, to its end."""
        graded = self.root / "var" / "autograded" / self.student / self.assignment
        kept = self.kept()
        return (
            any(graded.glob("*.ipynb"))
            and kept.get("graded") == self._key()
            and not verdicts.open_cells(kept)
        )

    def _key(self) -> str:
        files = [
            *sorted(self.root.glob(f"notebooks/{self.assignment}/*")),
            *sorted(self.root.glob(f"var/submitted/{self.student}/{self.assignment}/*")),
        ]
        texts = [file.read_text(errors="replace") for file in files if file.is_file()]
        return verdicts.digest([file.name for file in files], texts)

    def grade(self, config: Config, *, again: bool) -> str:
        """Why it could not be graded; empty where it was."""
        if again:
            self.file.unlink(missing_ok=True)
        errors: list[str] = []
        log = logging.Logger("grader.autograde")
        handler = logging.Handler(logging.ERROR)
        handler.emit = lambda record: errors.append(record.getMessage())
        log.addHandler(handler)
        course = CourseDirectory(
            config=config, log=log, assignment_id=self.assignment, student_id=self.student
        )
        converter = Autograde(coursedir=course, config=config, log=log, force=True)
        try:
            converter.start()
        except (NbGraderException, OSError) as error:
            # The last line of a traceback says it best.
            traces = [text for text in errors if text.startswith("Traceback")]
            reason = (traces or errors or [str(error)])[0].strip().splitlines()[-1]
            return f"not graded: {reason[:300]}"
        verdicts.write(self.file, self.kept() | {"graded": self._key()})
        return ""
