"""Formats results as text and as the table of docs/media.md."""

import json
from dataclasses import dataclass
from pathlib import Path

from .known import KNOWN
from .players import Result, allowed_frames

BEGIN, END = "<!-- zoo: begin -->", "<!-- zoo: end -->"
COLUMNS = {"headless": "ours", "board": "ours, on a plane", "gst-play": "gst-play-1.0", "mpv": "mpv"}
GROUPS = {"film": "Films", "animation": "Animations", "picture": "Pictures", "sound": "Sound alone"}
# Characters of a problem in a cell.
CELL = 44


@dataclass
class Verdict:
    is_right: bool
    is_known: bool  # listed as a known fault, with its reason
    cell: str


def verdict(kind, result):
    if not result.problems:
        return Verdict(True, True, "right" if result.mean is None else f"{result.mean:.1f}")
    known = kind.name in KNOWN or (kind.may_refuse and result.told is not None)
    if result.told is not None:
        return Verdict(False, known, f"**error {result.told}**")
    problem = result.problems[0].replace("|", "/").replace("\n", " ")
    return Verdict(False, known, f"**{problem if len(problem) <= CELL else problem[:CELL - 3] + '...'}**")


def expectation(kind):
    parts = []
    if frames := allowed_frames(kind):
        parts.append(" or ".join(str(count) for count in sorted(frames)) + (" frame" if frames == [1] else " frames"))
    if kind.seconds is not None:
        parts.append(f"{kind.seconds:.2f} s")
    if kind.group != "sound":
        parts.append(f"{kind.shown[0]}x{kind.shown[1]}")
    return ", ".join(parts)


def load(out):
    results = {}
    for player in COLUMNS:
        path = out / f"{player}.json"
        results[player] = {name: Result(**value) for name, value in json.loads(path.read_text()).items()} \
            if path.exists() else {}
    return results


def lines(kinds, results):
    yield BEGIN
    yield ""
    yield "| | " + " | ".join(COLUMNS.values()) + " |"
    yield "|---" * (len(COLUMNS) + 1) + "|"
    for group, title in GROUPS.items():
        members = [kind for kind in kinds if kind.group == group]
        counts = []
        for player in COLUMNS:
            played = [kind for kind in members if kind.name in results[player]]
            right = sum(verdict(kind, results[player][kind.name]).is_right for kind in played)
            counts.append(f"{right} of {len(played)}" if played else "not run")
        yield f"| {title} | " + " | ".join(counts) + " |"
    for group, title in GROUPS.items():
        yield ""
        yield f"### {title}"
        yield ""
        yield "| file | what it is | expected | " + " | ".join(COLUMNS.values()) + " |"
        yield "|---" * (len(COLUMNS) + 3) + "|"
        for kind in kinds:
            if kind.group != group:
                continue
            cells = [verdict(kind, results[player][kind.name]).cell if kind.name in results[player] else ""
                     for player in COLUMNS]
            yield f"| `{kind.name}` | {kind.about} | {expectation(kind)} | " + " | ".join(cells) + " |"
    wrong = [kind for kind in kinds if kind.name in KNOWN]
    if wrong:
        yield ""
        yield "### Known not to be right"
        yield ""
        for kind in wrong:
            yield f"- `{kind.name}`: {KNOWN[kind.name]}"
    yield ""
    yield END


def write(kinds, out, page: Path):
    text = page.read_text()
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    page.write_text(before + "\n".join(lines(kinds, load(out))) + after)
