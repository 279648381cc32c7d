"""Where players show: Weston that takes RGB only, Weston with OpenGL that takes YUV, nothing at all. And a sound server."""

import os
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

from .places import BUILD, ROOT, Trouble
from .processes import end

TITLES = {"rgb": "Weston, RGB only", "gl": "Weston, GL (YUV)", "nothing": "into nothing"}


class Screen:
    """A Weston that runs, or nothing."""

    def __init__(self, kind, environment=None, directory=None, log=None):
        self.kind, self.environment, self.directory, self.log = kind, environment or {}, directory, log
        self.pid = None
        self.frames = []

    def read(self):
        """(when, number) of each composed picture so far that carries a number."""
        self.frames = []
        for line in self.log.read_text(errors="replace").splitlines(keepends=True):
            fields = line.split()
            # The last line may not be whole yet.
            if line.endswith("\n") and len(fields) == 4 and fields[3].isdigit():
                self.frames.append((float(fields[0]), int(fields[3])))
        return self.frames


@contextmanager
def screen(kind, size=(1280, 720)):
    """A Weston of this measurement's own, as large as the film: it fills the screen without being scaled."""
    if kind == "nothing":
        # Not the compositor of whoever sits at this machine.
        yield Screen(kind, {"WAYLAND_DISPLAY": "bench-no-such-socket", "DISPLAY": ""})
        return
    (BUILD / "run").mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="s", dir="/tmp") as work:
        log = Path(work) / "frames"
        runtime = Path(work) / "run"
        width, height = size
        command = [ROOT / "Tests/Tools/weston/weston-headless", "--size", f"{width}x{height}", "--watch", log, "--repaint-window", "15"]
        if kind == "gl":
            command.append("--gl")
        command += [runtime, "--", "sh", "-c", "echo ready; exec sleep 100000"]
        environment = {**os.environ, "WESTON_WATCH_ONLY_NUMBERS": "1", "WESTON_WATCH_RECTANGLES": f"0,0,{width},{height}"}
        process = subprocess.Popen([str(word) for word in command], env=environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        found = Screen(kind, {"XDG_RUNTIME_DIR": str(runtime), "WAYLAND_DISPLAY": "wayland-kiosk"}, runtime, log)
        try:
            if process.stdout.readline() != "ready\n":
                raise Trouble(f"Weston ({kind}) did not start")
            children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
            found.pid = next(int(child) for child in children if Path(f"/proc/{child}/comm").read_text() == "weston\n")
            # vlc refuses to run as root, and is run as nobody.
            for path in (Path(work), runtime, runtime / "wayland-kiosk"):
                path.chmod(0o777)
            yield found
        finally:
            end(process)
            found.read()


@contextmanager
def sound_server():
    """The environment of a PulseAudio whose loudspeaker nobody hears; it runs by the clock, as a real one does."""
    with tempfile.TemporaryDirectory(prefix="s", dir="/tmp") as directory:
        os.chmod(directory, 0o755)
        socket = f"{directory}/native"
        own = {**os.environ, "HOME": directory, "XDG_RUNTIME_DIR": directory, "PULSE_RUNTIME_PATH": directory}
        process = subprocess.Popen(
            ["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--realtime=no", "--high-priority=no", "--use-pid-file=no",
             "-L", f"module-native-protocol-unix auth-anonymous=1 socket={socket}",
             "-L", "module-null-sink sink_name=speaker rate=48000 channels=2"],
            env=own, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            for _ in range(100):
                if os.path.exists(socket):
                    break
                time.sleep(0.05)
            else:
                raise Trouble("pulseaudio did not start")
            os.chmod(socket, 0o777)
            yield {"PULSE_SERVER": f"unix:{socket}"}
        finally:
            end(process)
