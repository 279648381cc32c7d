"""A player as the kernel sees it: processor time, memory, wake-ups."""

import os
import re
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

from .places import Trouble


def cpu_seconds(pid):
    """Of the whole process, threads that have ended too, in user and kernel; to the nanosecond (clock_getcpuclockid)."""
    try:
        return time.clock_gettime((~pid << 3) | 2)
    except OSError:
        raise Trouble(f"process {pid} is gone")


def memory(pid):
    """In MB: all that is resident, of it what belongs to no file, which the kernel can't take back, and the most until now."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text() + Path(f"/proc/{pid}/status").read_text()
    except OSError:
        raise Trouble(f"process {pid} is gone")
    return {key: int(re.search(rf"^{name}:\s+(\d+) kB", text, re.M)[1]) * 1024 / 1e6
            for key, name in [("rss", "Rss"), ("anonymous", "Anonymous"), ("peak", "VmHWM")]}


def descriptors(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


def wakes(pid):
    """How often its threads have gone to sleep, and so been woken, since they began."""
    return sum(int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", task.read_text(), re.M)[1])
               for task in Path(f"/proc/{pid}/task").glob("*/status"))


def sleep_until(moment):
    time.sleep(max(0, moment - time.monotonic()))


@contextmanager
def running(command, environment=None, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL):
    """Yields (process, when it was started); it is ended at the end, whatever happens."""
    begun = time.monotonic()
    try:
        process = subprocess.Popen([str(word) for word in command], env={**os.environ, **(environment or {})}, stdin=stdin,
                                   stdout=stdout, stderr=stderr)
    except OSError as problem:
        raise Trouble(str(problem))
    try:
        yield process, begun
    finally:
        end(process)


def end(process):
    process.terminate()
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for pipe in (process.stderr, process.stdout, process.stdin):
        if pipe:
            pipe.close()


def expect_alive(process, what):
    if process.poll() is not None:
        raise Trouble(f"{what} ended with {process.returncode}")
