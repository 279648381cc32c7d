"""Processor time and memory of steady playing."""

import time

from . import clips
from .places import Trouble
from .processes import cpu_seconds, expect_alive, memory, running, sleep_until
from .stages import screen

# Until a player has opened everything, and how long is looked at: seconds. With sound gst-launch begins with a second and a half in which
# the server's buffer is filled and the picture stands, mpv with a third of a second: what stands costs nothing.
SETTLE, SETTLE_WITH_SOUND, LOOK = 1.5, 5.0, 4.0


def measure(players, name, stage, film, has_sound, sound):
    """One film by one player: its processor time, the compositor's, memory, and how many different pictures came to the screen."""
    clip = clips.clip(film, has_sound)
    command = players.command(name, stage, clip, has_sound)
    if command is None:
        raise Trouble("has no such output")
    with screen(stage, clips.size(film)) as shown:
        environment = {**shown.environment, **(sound if has_sound else {})}
        with running(command, environment) as (process, begun):
            sleep_until(begun + (SETTLE_WITH_SOUND if has_sound else SETTLE))
            expect_alive(process, name)
            started = time.monotonic()
            own, compositor = cpu_seconds(process.pid), cpu_seconds(shown.pid) if shown.pid else 0
            sleep_until(started + LOOK)
            expect_alive(process, name)
            ended = time.monotonic()
            own = cpu_seconds(process.pid) - own
            compositor = cpu_seconds(shown.pid) - compositor if shown.pid else 0
            used = memory(process.pid)
    share = 100 / (ended - started)
    result = {"cpu": own * share, **used}
    if stage != "nothing":
        numbers = {number for when, number in shown.frames if started <= when < ended}
        if not numbers:
            raise Trouble("no picture of the film came to the screen")
        result |= {"cpu_compositor": compositor * share, "frames": len(numbers) / (ended - started)}
    return result
