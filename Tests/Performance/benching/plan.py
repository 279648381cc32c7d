"""Which measurements there are, in which order. Players take turns within each round, so that whatever else the machine does meets all."""

import json
import re
import subprocess
from dataclasses import dataclass, field
from typing import Callable

from . import lists, playing, seeks, starts
from .places import ROOT, Trouble

STAGES = ["rgb", "gl", "nothing"]
FILMS = ["film-360p", "film-720p", "film-1080p"]
# Those that the aims name; the others are measured in one case, to be seen.
MAIN = ["vitrine", "gst-launch", "mpv"]
OTHERS = ["gst-play", "mpv-gpu", "vlc", "ffmpeg"]
GROUPS = ["playing", "starts", "seeks", "lists", "quiet", "4k", "scrubbing", "seams", "transitions"]


@dataclass
class Job:
    """`case` is what is compared and shown; the rounds of a case differ in nothing."""
    case: str
    round: int
    measure: Callable[[], dict] = field(repr=False)

    @property
    def id(self):
        return f"{self.case}/{self.round}"


def jobs(players, only, is_quick, sound):
    made = {"playing": playing_jobs, "starts": start_jobs, "seeks": seek_jobs, "lists": list_jobs, "quiet": quiet_jobs,
            "transitions": transition_jobs, "4k": large_jobs, "scrubbing": scrubbing_jobs, "seams": seam_jobs}
    for group in GROUPS:
        if not only or group in only:
            yield from made[group](players, is_quick, sound)


def there(players, names):
    return [name for name in names if players.is_there(name)]


def playing_jobs(players, is_quick, sound):
    cases = []
    for has_sound in [False, True]:
        for film in FILMS:
            for stage in STAGES:
                if is_quick and (film != "film-720p" or has_sound):
                    continue
                names = list(MAIN)
                if not has_sound and stage != "nothing":
                    names.insert(1, "vitrine-bar")
                if film == "film-720p" and not has_sound:
                    names += OTHERS
                cases += [(stage, film, has_sound, name) for name in there(players, names)
                          if players.command(name, stage, "x.mp4", has_sound) is not None]
    for number in range(3 if is_quick else 5):
        for stage, film, has_sound, name in cases:
            if is_quick and number > 0 and name in OTHERS:
                continue
            yield Job(f"playing/{stage}/{film}/{'sound' if has_sound else 'silent'}/{name}", number,
                      lambda a=(name, stage, film, has_sound): playing.measure(players, *a, sound))


def start_jobs(players, is_quick, sound):
    cases = [(stage, name, None) for stage in STAGES for name in there(players, [*MAIN, "gst-play"])
             if stage != "nothing" or name in starts.SAYS]
    cases += [(stage, "vitrine", 20) for stage in STAGES]
    for number in range(5 if is_quick else 11):
        for stage, name, items in cases:
            what = "run-20" if items else name
            yield Job(f"starts/{stage}/{what}", number,
                      lambda a=(name, stage, "film-720p", items): starts.measure(players, *a))


def seek_jobs(players, is_quick, sound):
    cases = [("vitrine", "exact"), ("vitrine", "keyframe"), ("mpv", "exact"), ("mpv", "keyframe"), ("gst-play", "keyframe")]
    for number in range(2 if is_quick else 5):
        for name, kind in cases:
            if players.is_there(name):
                yield Job(f"seeks/{kind}/{name}", number, lambda a=(name, kind): seeks.measure(players, *a))


def list_jobs(players, is_quick, sound):
    for number in range(3 if is_quick else 7):
        for items in [1, 1000, 100_000]:
            yield Job(f"lists/{items}", number, lambda a=items: lists.long_list(players, a))


def quiet_jobs(players, is_quick, sound):
    for number in range(1 if is_quick else 5):
        for is_asleep in [False, True]:
            yield Job(f"quiet/{'asleep' if is_asleep else 'picture'}", number,
                      lambda a=is_asleep: lists.quiet(players, a, 10 if is_quick else 20))


def transition_jobs(players, is_quick, sound):
    yield Job("transitions/three-frames", 0, lambda: lists.transitions(players, 200 if is_quick else 10_000))


def large_jobs(players, is_quick, sound):
    if is_quick:
        return
    for number in range(5):
        yield Job("4k/vitrine", number, lambda: large(players))


def large(players):
    """4K at 30 frames a second by the processor: what the report says of its frames, and how fast ffmpeg decodes it at most."""
    from . import clips
    clip = clips.clip("film-2160p")
    report = clip.parent.parent / "run/4k.json"
    report.parent.mkdir(exist_ok=True)
    run(["ffmpeg", "-nostdin", "-loglevel", "quiet", "-i", clip, "-an", "-f", "null", "-"])  # into the cache
    told = run(["ffmpeg", "-nostdin", "-benchmark", "-i", clip, "-an", "-f", "null", "-"]).stderr
    whole = float(re.search(r"rtime=([\d.]+)s", told)[1])
    run([*players.vitrine("nothing", clip, False)[:-1], "--report", report, clip])
    values = json.loads(report.read_text())
    return {"dropped": values["frames_dropped"], "rendered": values["frames_rendered"], "decode_speed": 8 / whole}


def run(command, limit=900):
    try:
        outcome = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=limit, cwd=ROOT,
                                 stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        raise Trouble(f"{command[0]} took longer than {limit} s")
    if outcome.returncode != 0:
        raise Trouble(f"{command[0]} ended with {outcome.returncode}: {outcome.stderr[-300:]}")
    return outcome


def scrubbing_jobs(players, is_quick, sound):
    """By its own tool, which also writes its table into the document."""
    if not is_quick:
        yield Job("scrubbing/drags", 0, lambda: scrubbing(players))


def scrubbing(players):
    table = run([ROOT / "Tests/Performance/measure-scrubbing", "--binary", players.binary], limit=1500).stdout
    ours = next(line for line in table.splitlines() if line.startswith("| Vitrine"))
    numbers = [float(number) for number in re.findall(r"(\d+\.\d+) (?:\(|ms)", ours)]
    return {"frames": numbers[0], "touch_p50": numbers[1], "touch_p99": numbers[2]}


def seam_jobs(players, is_quick, sound):
    if not is_quick:
        yield Job("seams/list", 0, lambda: seams(players))


def seams(players):
    table = run([ROOT / "Tests/Performance/measure-seams", "--binary", players.binary, "--transitions", "80", "--rounds", "2", "--write"],
                limit=1500).stdout
    result, kind = {}, None
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) > 6 and cells[1] == "transitions":
            kind = cells[0]
        elif kind and len(cells) > 6 and cells[1].isdigit():
            result |= {f"{kind}_{cells[0]}_p99": float(cells[3]), f"{kind}_{cells[0]}_black": int(cells[6])}
    return result
