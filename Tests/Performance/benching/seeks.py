"""From the request of a seek to the first picture of the new place on the screen, read by the compositor for all players alike."""

import json
import os
import pty
import socket
import time
from pathlib import Path

from . import clips
from .places import BUILD, Trouble
from .processes import expect_alive, running, sleep_until
from .stages import screen

FILM = "long-360p"
# Places in seconds, far from each other and between key frames, forwards and backwards.
PLACES = [31.3, 10.7, 45.1, 20.9, 52.7, 5.3, 38.5, 14.1, 48.9, 25.7]
APART = 0.7
# What is further from the picture before is another place: two seconds.
JUMP = 60
FIRST = 2.0
KINDS = ["exact", "keyframe"]


def measure(players, name, kind, stage="rgb"):
    """Milliseconds for each of the places that was reached."""
    clip = clips.clip(FILM)
    requests = []
    with screen(stage, clips.size(FILM)) as shown:
        driver = {"vitrine": Vitrine, "mpv": Mpv, "gst-play": GstPlay}[name](players, stage, clip, kind, Path(shown.directory))
        with running(driver.command, {**shown.environment, **driver.environment}, stdin=driver.stdin) as (process, begun):
            driver.connect()
            sleep_until(begun + FIRST)
            for place in PLACES:
                expect_alive(process, name)
                requests.append((time.monotonic(), place))
                driver.seek(place)
                time.sleep(APART)
        driver.close()
    return {"times": [took for request, place in requests if (took := shown_after(shown.frames, request)) is not None],
            "asked": len(requests)}


def shown_after(frames, request):
    before = next((number for when, number in reversed(frames) if when <= request), None)
    if before is None:
        return None
    for when, number in frames:
        if when > request and abs(number - before) > JUMP:
            return (when - request) * 1000 if when - request < APART else None
    return None


def line_socket(path, limit=10):
    """Of a player that has just been started; with a list of 100,000 it takes a while to listen."""
    for _ in range(limit * 50):
        try:
            link = socket.socket(socket.AF_UNIX)
            link.connect(str(path))
            return link
        except OSError:
            link.close()
            time.sleep(0.02)
    raise Trouble(f"nobody listens at {path}")


class Vitrine:
    """By the control socket."""

    stdin, environment = None, {}

    def __init__(self, players, stage, clip, kind, directory):
        self.kind, self.path = kind, directory / "control"
        (BUILD / "run").mkdir(parents=True, exist_ok=True)
        configuration = BUILD / "run/seek.toml"
        configuration.write_text(f'version = 1\n[playback]\nloop = true\n[[playlist.main.item]]\nuri = "{clip}"\n')
        self.command = [players.binary, "run", "--config", configuration, "--output", "wayland", "--osd", "never", "--no-audio",
                        "--control", self.path]

    def connect(self):
        self.link = line_socket(self.path)

    def seek(self, place):
        self.link.sendall(json.dumps({"verb": "seek", "to": place, "keyframe": self.kind == "keyframe"}).encode() + b"\n")

    def close(self):
        self.link.close()


class Mpv:
    stdin, environment = None, {}

    def __init__(self, players, stage, clip, kind, directory):
        self.kind, self.path = kind, directory / "mpv"
        self.command = [*players.command("mpv", stage, clip), f"--input-ipc-server={self.path}", "--loop-file=inf"]

    def connect(self):
        self.link = line_socket(self.path)

    def seek(self, place):
        how = "absolute+exact" if self.kind == "exact" else "absolute+keyframes"
        self.link.sendall(json.dumps({"command": ["seek", place, how]}).encode() + b"\n")

    def close(self):
        self.link.close()


class GstPlay:
    """By its keys, which lead on by 8 % of the film: 4.8 s."""

    environment = {}

    def __init__(self, players, stage, clip, kind, directory):
        self.command = [word for word in players.command("gst-play", stage, clip) if word != "--no-interactive"]
        if kind == "exact":
            raise Trouble("its keys seek to key frames")
        self.terminal, self.stdin = pty.openpty()

    def connect(self):
        pass

    def seek(self, place):
        os.write(self.terminal, b"\033[C")

    def close(self):
        os.close(self.terminal)
        os.close(self.stdin)
