"""The host without PyTorch: its processor, its cores, how busy others keep it."""

import os
import platform
import time
from pathlib import Path


def processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def cores() -> int:
    """Cores that this process may use (its affinity, where the system knows it)."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def background_load(seconds: float = 0.2) -> float | None:
    """Cores kept busy by others while this process sleeps, or None where it cannot be known."""
    before = _busy_seconds()
    if before is None:
        return os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    start = time.perf_counter()
    time.sleep(seconds)
    return (_busy_seconds() - before) / (time.perf_counter() - start)


def _busy_seconds() -> float | None:
    """Seconds that all cores together have spent working, from /proc/stat (Linux)."""
    try:
        fields = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]
    except OSError:
        return None
    user, nice, system, _, _, irq, softirq, steal = (int(field) for field in fields[:8])
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")
