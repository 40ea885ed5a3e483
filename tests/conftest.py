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
    config.pluginmanager.register(_Skips(config.stash[_skipped]))


def _has_cuda() -> bool:
    import torch  # here, since most test runs of this file's own rules need no torch

    return torch.cuda.is_available()


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("cuda") is not None and not _has_cuda():
        pytest.skip("needs a CUDA device")


# Reports also come from the processes that run tests in parallel.
class _Skips:
    def __init__(self, names: list[str]) -> None:
        self.names = names

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for_want_of_a_gpu = "cuda" in report.keywords and not _has_cuda()
        if report.skipped and not hasattr(report, "wasxfail") and not for_want_of_a_gpu:
            self.names.append(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.skipped:
            self.names.append(report.nodeid)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    if os.environ.get("CI") and session.config.stash[_skipped] and exitstatus == 0:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter, config: pytest.Config) -> None:
    if os.environ.get("CI") and config.stash[_skipped]:
        names = ", ".join(sorted(set(config.stash[_skipped])))
        terminalreporter.write_line(f"CI: skipped, and no GPU is needed for it: {names}", red=True)
