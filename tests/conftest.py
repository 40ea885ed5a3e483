"""Settings that every test runs under, and the rule that CI skips nothing it could run."""

import os
import tempfile

import pytest

# Before anything imports torch: one thread, so that tests neither disturb nor depend on each other,
# no lines from the profiler on stderr, and no window from matplotlib.
os.environ |= {"OMP_NUM_THREADS": "1", "KINETO_LOG_LEVEL": "99", "MPLBACKEND": "Agg"}

_skipped = pytest.StashKey[list[str]]()


def pytest_configure(config: pytest.Config) -> None:
    """Keep records and other results of this machine out of the tests."""
    var = tempfile.TemporaryDirectory(prefix="grader-var-")
    config.add_cleanup(var.cleanup)
    os.environ["GRADER_VAR"] = var.name
    config.stash[_skipped] = []


def _has_cuda() -> bool:
    import torch  # here, since most test runs of this file's own rules need no torch

    return torch.cuda.is_available()


def _lacks_its_gpu(item: pytest.Item) -> bool:
    return item.get_closest_marker("cuda") is not None and not _has_cuda()


def pytest_runtest_setup(item: pytest.Item) -> None:
    if _lacks_its_gpu(item):
        pytest.skip("needs a CUDA device")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item):
    report = yield
    expected_to_fail = hasattr(report, "wasxfail")
    if report.skipped and not expected_to_fail and not _lacks_its_gpu(item):
        item.config.stash[_skipped].append(item.nodeid)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector):
    report = yield
    if report.skipped:
        collector.config.stash[_skipped].append(collector.nodeid)
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    if os.environ.get("CI") and session.config.stash[_skipped] and exitstatus == 0:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter, config: pytest.Config) -> None:
    if os.environ.get("CI") and config.stash[_skipped]:
        names = ", ".join(config.stash[_skipped])
        terminalreporter.write_line(f"CI: skipped, and no GPU is needed for it: {names}", red=True)
