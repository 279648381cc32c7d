"""From the start of a process to its first frame."""

import subprocess
import threading
import time

from . import clips
from .places import BUILD, Trouble
from .processes import running
from .stages import screen

# Seconds: the longest list, which has no limit of its own, on a busy machine.
LIMIT = 40
# What each says when its sink is done with the first frame, where there is no compositor to ask.
GSTREAMER = ({"GST_DEBUG": "basesink:6", "GST_DEBUG_NO_COLOR": "1"}, [], b"<screen> object unref after render")
SAYS = {"vitrine": GSTREAMER, "gst-launch": GSTREAMER, "gst-play": GSTREAMER,
        "mpv": ({}, ["--terminal=yes", "--msg-level=all=no,cplayer=debug"], b"first video frame after restart shown")}


def listed(items, film, directory=BUILD / "run"):
    """A configuration of so many items, the first of them a film."""
    directory.mkdir(parents=True, exist_ok=True)
    name = f"items-{items}-{film.name.partition('.')[0]}"
    path = directory / f"{name}.toml"
    if not path.exists():
        # Films of other names: links to one file.
        folder = directory / name
        folder.mkdir(exist_ok=True)
        names = [folder / f"{number:06}.mp4" for number in range(items)]
        for name in names:
            if not name.is_symlink():
                name.symlink_to(film)
        text = "version = 1\n[playback]\nloop = true\n" + "".join(f'[[playlist.main.item]]\nuri = "{name}"\n' for name in names)
        path.write_text(text)
    return path


def run_command(players, stage, items, film):
    output = "headless" if stage == "nothing" else "wayland"
    return [players.binary, "run", "--config", listed(items, film), "--output", output, "--osd", "never", "--no-audio",
            "--control", "none"]


def measure(players, name, stage, film, items=None):
    """Milliseconds. In Weston it is when the first picture of the film has been composed, for all players alike."""
    clip = clips.clip(film)
    command = run_command(players, stage, items, clip) if items else players.command(name, stage, clip)
    if command is None:
        raise Trouble("has no such output")
    if stage == "nothing":
        return {"first_frame": heard(name, command)}
    with screen(stage, clips.size(film)) as shown:
        with running(command, shown.environment) as (process, begun):
            while not shown.read():
                if process.poll() is not None:
                    raise Trouble(f"{name} ended with {process.returncode}")
                if time.monotonic() - begun > LIMIT:
                    raise Trouble(f"no picture of the film came to the screen in {LIMIT} s")
                time.sleep(0.05)
    return {"first_frame": (shown.frames[0][0] - begun) * 1000}


def heard(name, command):
    if name not in SAYS:
        raise Trouble("says nothing of its first frame")
    environment, more, word = SAYS[name]
    if name == "mpv":
        command = [part for part in command if part not in ("--really-quiet", "--no-terminal")]
    with running(command + more, {**environment, "WAYLAND_DISPLAY": "bench-no-such-socket"},
                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as (process, begun):
        limit = threading.Timer(LIMIT, process.kill)
        limit.start()
        try:
            for line in process.stdout:
                if word in line:
                    return (time.monotonic() - begun) * 1000
        finally:
            limit.cancel()
    raise Trouble(f"showed no frame in {LIMIT} s")
