"""Plays kinds on the virtual board: one playlist at a time, on a plane, in virtual time. Screenshots come from the writeback."""

import concurrent.futures
import json
import os
import re
import subprocess
import tempfile
from pathlib import Path

from . import reference
from .kinds import SCREEN
from .players import Result, check_report, playlist

ROOT = Path(__file__).resolve().parents[3]
# Items in one process: few, so that an item that crashes the process is found quickly.
CHUNK = 12
# A boot takes two seconds. An interrupted run keeps only the results of finished boots.
CHUNKS_A_BOOT = 2
# Seconds of virtual time between two screenshots: two or three for each item.
LOOK_EVERY = 0.4
# A screenshot takes two commits, and may show the refresh before.
LOOK_TAKES = 0.06
# Frames a second. A screenshot's commits delay the player's own for a refresh or two, so no screenshots are taken of films from
# this rate on: they have a frame for nearly every refresh.
FAST = 45
# Seconds of the host for a chunk, with a large margin: 4K takes long.
CHUNK_LIMIT = 600

GUEST = Path(__file__).resolve().parent / "play-in-guest"


def leave_for_guest(place, playlist, options, look_every=None):
    place.mkdir(parents=True)
    (place / "vitrine.toml").write_text(playlist)
    (place / "options").write_text("".join(f"{option}\n" for option in options))
    if look_every:
        (place / "look-every").write_text(f"{look_every}\n")


def run_guest(work, binary, limit):
    """Plays the lists in `work/lists`, with results in `work/out`."""
    (work / "out").mkdir()
    return subprocess.run([str(ROOT / "board/virtual/run"), "--out", str(work / "out"), "--timeout", str(limit),
                           "--env", f"VITRINE={binary}", str(GUEST), str(work / "lists")],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True)


def play(kinds, folder, binary):
    """Yields the results, by name, of groups of kinds."""
    parts = {}
    for kind in kinds:
        parts.setdefault((kind.has_sound, is_fast(kind)), []).append(kind)
    chunks = [part[start:start + CHUNK] for part in parts.values() for start in range(0, len(part), CHUNK)]
    subprocess.run(["make", "-s", "-C", str(ROOT / "board/virtual/tools")], check=True, stdout=subprocess.DEVNULL)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        boots = [pool.submit(boot, chunks[start:start + CHUNKS_A_BOOT], folder, binary)
                 for start in range(0, len(chunks), CHUNKS_A_BOOT)]
        for task in concurrent.futures.as_completed(boots):
            yield task.result()


def is_fast(kind):
    return kind.group == "film" and kind.rate * (2 if "FIELDS" in kind.prepare else 1) > FAST


def boot(chunks, folder, binary):
    with tempfile.TemporaryDirectory(dir=ROOT / "build") as work:
        work = Path(work)
        for number, kinds in enumerate(chunks):
            options = ["--output", "kms", "--mode", f"{SCREEN[0]}x{SCREEN[1]}"]
            options += ["--audio-device", "alsa:hw:Loopback,0"] if kinds[0].has_sound else ["--no-audio"]
            leave_for_guest(work / "lists" / f"{number:02}", playlist(kinds, folder), options,
                            None if is_fast(kinds[0]) else LOOK_EVERY)
        outcome = run_guest(work, binary, CHUNK_LIMIT * len(chunks))
        results = {}
        for number, kinds in enumerate(chunks):
            results.update(judge(kinds, folder, work / "out" / f"{number:02}", outcome))
        return results


def judge(kinds, folder, out, outcome):
    results = {kind.name: Result() for kind in kinds}

    def all_failed(why):
        for result in results.values():
            result.problems.append(why)
        return results

    if not (out / "status").exists():
        return all_failed(f"the board stopped with {outcome.returncode}: {outcome.stderr[-200:]}")
    status = int((out / "status").read_text())
    if not (out / "report.json").exists():
        return all_failed(f"the player of these {len(kinds)} ended with {status}, without a report")
    story = json.loads((out / "report.json").read_text())
    for kind, item in zip(kinds, story["items"]):
        check_report(kind, item, results[kind.name], is_virtual=True)
    if story["frames_dropped"] and not any(" frames, not " in problem for result in results.values()
                                           for problem in result.problems):
        all_failed(f"{story['frames_dropped']} frames dropped among these {len(kinds)}")
    look(kinds, folder, out, story, results)
    return results


def look(kinds, folder, out, story, results):
    """Assigns each screenshot to the item that was on the screen."""
    if story["first_frame_ms"] is None:
        return
    started = float((out / "started").read_text())
    first = next((index for index, item in enumerate(story["items"]) if item["frames_rendered"]), 0)
    turns = [(started + story["first_frame_ms"] / 1000, first)]
    turns += [(started + step["at_seconds"], step["to"]) for step in story["transitions"]]
    turns.append((started + story["seconds"], None))
    looks = sorted((tuple(float(part) for part in re.findall(r"[0-9]+\.[0-9]+", path.name)), path)
                   for path in out.glob("*.ppm"))
    for (begin, index), (end, _) in zip(turns, turns[1:]):
        if index is None or kinds[index].group == "sound":
            continue
        kind, result = kinds[index], results[kinds[index].name]
        shots = [path for (before, after), path in looks if before > begin + LOOK_TAKES and after < end - LOOK_TAKES]
        if not shots:
            continue
        frames = reference.decode(kind, folder / kind.name)
        seen = [result.look(kind, reference.read_ppm(path), frames, f"look {number}")
                for number, path in enumerate(shots, 1)]
        if kind.group == "film" and kind.tells_frames and seen != sorted(seen):
            result.problems.append(f"frames in the order {seen}")
    for kind in kinds:
        result = results[kind.name]
        if kind.group != "sound" and not is_fast(kind) and result.mean is None and not result.problems:
            result.problems.append("never seen")
