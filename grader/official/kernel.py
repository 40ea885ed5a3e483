"""The kernel that runs a submission for its feedback page, in a sandbox.

It talks over unix sockets in a private folder: there is no network in a sandbox.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import zmq
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager

from grader.official.sandbox import Sandbox

LARGEST_MESSAGE = 2**26  # bytes; the connection of a kernel that sends more is closed


class SandboxedKernel(AsyncKernelManager):
    """This Python's own kernel, started in `folder`, which it can read and not write."""

    def __init__(self, *, folder: Path, **options: Any) -> None:
        self._private = Path(tempfile.mkdtemp(prefix="grader-kernel-"))
        self._sandbox = Sandbox(readable=[folder], writable=[self._private], folder=folder)
        file = str(self._private / "kernel.json")
        super().__init__(transport="ipc", connection_file=file, **options)
        self.ip = str(self._private / "kernel")
        self.context.setsockopt(zmq.MAXMSGSIZE, LARGEST_MESSAGE)

    @property
    def kernel_spec(self) -> KernelSpec:
        # A signal would not reach the kernel: the process that was started is the sandbox's.
        return KernelSpec(argv=["python"], language="python", interrupt_mode="message")

    def format_kernel_cmd(self, extra_arguments: list[str] | None = None) -> list[str]:
        kernel = [sys.executable, "-m", "ipykernel_launcher", "-f", self.connection_file]
        return self._sandbox.command([*kernel, *(extra_arguments or [])])

    async def _async_launch_kernel(self, kernel_cmd: list[str], **options: Any) -> None:
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        await super()._async_launch_kernel(kernel_cmd, **options | quiet)

    async def _async_cleanup_resources(self, restart: bool = False) -> None:
        await super()._async_cleanup_resources(restart)
        self._sandbox.close()
        shutil.rmtree(self._private, ignore_errors=True)

    cleanup_resources = _async_cleanup_resources
