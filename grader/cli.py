"""`python -m grader …`: what authors, teachers and learners do outside of a notebook."""

import argparse
import datetime
import sys
from collections.abc import Sequence
from pathlib import Path

from grader import notebook, records

COURSE = Path(__file__).parent.parent


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status. Expected failures are one line on stderr."""
    options = _parser().parse_args(arguments)
    try:
        return options.run(options)
    except (RuntimeError, ValueError, OSError) as error:
        print(f"{options.command}: {error}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m grader", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)

    doctor = commands.add_parser("doctor", help="check this machine, with one real race")
    doctor.set_defaults(run=_doctor)

    run = commands.add_parser("run", help="run notebooks from top to bottom and show the scores")
    run.add_argument("notebooks", nargs="+", type=Path, metavar="NOTEBOOK")
    run.add_argument("--device", default="auto", help="auto, cpu or cuda")
    run.add_argument("--timeout", type=int, default=120, help="seconds for one cell")
    run.set_defaults(run=_run)

    measure = commands.add_parser(
        "measure", help="race every reference solution here and keep the records"
    )
    measure.add_argument("--device", default="auto", help="auto, cpu or cuda")
    measure.add_argument(
        "--only", default="", metavar="TEXT", help="exercises with TEXT in their id"
    )
    measure.add_argument("--heats", type=int, default=31)
    measure.add_argument(
        "--ship", action="store_true", help="write the records that the course ships"
    )
    measure.set_defaults(run=_measure)

    release = commands.add_parser("release", help="make notebooks/ from solutions/")
    release.set_defaults(run=_release)

    check = commands.add_parser(
        "check", help="are the notebooks canonical, and notebooks/ in step with solutions/?"
    )
    check.set_defaults(run=_check)

    autograde = commands.add_parser(
        "autograde", help="grade submissions by the referee, outside of the learners' kernels"
    )
    autograde.add_argument("assignment", help="such as 11-zero-grad")
    autograde.add_argument("--student", default="*", help="an id or a pattern; all by default")
    autograde.add_argument(
        "--retry", action="store_true", help="only submissions with an open verdict"
    )
    autograde.add_argument(
        "--again", action="store_true", help="also what has been graded and has not changed"
    )
    autograde.add_argument(
        "--unsandboxed", action="store_true", help="run submissions as you, without a sandbox"
    )
    autograde.set_defaults(run=_autograde)

    bench = commands.add_parser("bench", help="our verdict beside what others would do, here")
    bench.add_argument("--races", type=int, default=20, help="of each kind, quiet and under load")
    bench.add_argument(
        "--grade",
        nargs="*",
        default=["07-transfers-and-syncs", "11-zero-grad", "16-no-grad-validation"],
        metavar="ASSIGNMENT",
        help="those that are graded officially, and by plain nbgrader",
    )
    bench.set_defaults(run=_bench)
    return parser


def solutions() -> list[Path]:
    """The notebooks of the course with their solutions, in order."""
    return sorted(COURSE.glob("solutions/*/*.ipynb"))


def _doctor(options: argparse.Namespace) -> int:
    from grader.doctor import doctor

    return doctor()


def _run(options: argparse.Namespace) -> int:
    from grader.execution import execute, scoreboard

    for path in options.notebooks:
        notebook.read(path)  # a wrong name or a damaged file is said before anything runs
    done = []
    for path in options.notebooks:
        output = records.var_folder() / "executed" / path.resolve().parent.parent.name / path.name
        done.append(execute(path, output, {"device": options.device}, options.timeout))
        print(scoreboard(done[-1:]), flush=True)
    print(f"executed notebooks: {done[0].output.parent.parent}")
    return any(execution.error for execution in done)


def _measure(options: argparse.Namespace) -> int:
    target = records.SHIPPED if options.ship else records.own_file()
    today = datetime.date.today().isoformat()
    count, found, refused = 0, False, False
    for path in solutions():
        for call in notebook.load(path, parameters={"device": options.device}):
            exercise = call.exercise
            if call.part != "race" or options.only not in exercise.id:
                continue
            found = True
            if exercise.no_race:
                print(f"{exercise.id:40} not measurable here: {exercise.no_race}")
                continue
            try:
                with call.in_use():
                    record = exercise.measure(call.fix, today, options.heats)
            except RuntimeError as error:
                print(f"{error}", file=sys.stderr)
                refused = True
                continue
            goal = records.goal_from(record.low)
            use = f"goal {goal.speedup:.2f}" if goal.raced else "graded by its counts"
            print(
                f"{record.exercise:40} {record.device_class:12} {record.median:6.2f} times as fast "
                f"({record.low:.2f} to {record.high:.2f}), {record.slow_ms:.1f} ms, {use}",
                flush=True,
            )
            records.store([record], target)
            count += 1
    if not found:
        raise ValueError(f"no exercise has {options.only!r} in its id")
    print(f"{count} records in {target}")
    return int(refused)


def _release(options: argparse.Namespace) -> int:
    from grader.release import release

    changed = release(COURSE)
    print("\n".join(changed) if changed else "notebooks/ was in step with solutions/")
    return 0


def _autograde(options: argparse.Namespace) -> int:
    from grader.official.autograde import autograde

    in_need = autograde(
        COURSE,
        options.assignment,
        student=options.student,
        retry=options.retry,
        again=options.again,
        sandboxed=not options.unsandboxed,
    )
    return int(in_need > 0)


def _check(options: argparse.Namespace) -> int:
    from grader.release import release

    faults = release(COURSE, check=True)
    if faults:
        print(*faults, "`python -m grader release` puts notebooks/ in step.", sep="\n")
        return 1
    print(f"{len(solutions())} notebooks are canonical and in step")
    return 0


def _bench(options: argparse.Namespace) -> int:
    from grader.bench import bench
    from grader.official import bench as grading

    failed = bench(options.races) if options.races else 0
    good = grading.bench(COURSE, options.grade) if options.grade else True
    return failed or int(not good)
