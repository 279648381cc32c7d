"""The section of docs/performance.md: verdicts, tables, figures, what this was measured on."""

import os
import platform
import re
from datetime import date
from pathlib import Path

from . import plots
from .places import DOCUMENT, Trouble
from .plan import FILMS, STAGES
from .players import TITLES as PLAYERS
from .results import share, spread
from .stages import TITLES
from .verdicts import short, verdicts

BEGIN, END = "<!-- bench: begin -->", "<!-- bench: end -->"
ORDER = ["vitrine", "vitrine-bar", "gst-launch", "gst-play", "mpv", "mpv-gpu", "vlc", "ffmpeg"]
ALT = {"cpu": "Processor time of each player, by the size of the film", "memory": "Memory of each player",
       "first-frame": "Time to the first frame of each player", "seeks": "How long seeks took, as a share of all"}


def machine(loads):
    cpuinfo = Path("/proc/cpuinfo").read_text()
    processor = re.search(r"^model name\s*: (.*)", cpuinfo, re.M)
    system = re.search(r'^PRETTY_NAME="(.*)"', Path("/etc/os-release").read_text(), re.M)
    memory = int(re.search(r"^MemTotal:\s+(\d+)", Path("/proc/meminfo").read_text(), re.M)[1]) / 1e6
    load = f", load {min(loads):.1f} to {max(loads):.1f} with what is measured" if loads else ""
    return (f"{date.today()}, {processor[1] if processor else platform.machine()}, {os.cpu_count()} cores, {memory:.0f} GB{load}; "
            f"{system[1] if system else 'Linux'}, Linux {platform.release()}")


def table(head, rows):
    rows = [row for row in rows if any(cell for cell in row[1:])]
    if not rows:
        return None
    # Nor columns in which nothing was measured; the first one names the rows.
    kept = [0] + [column for column in range(1, len(head)) if any(row[column] for row in rows)]
    head, rows = [head[column] for column in kept], [[row[column] for column in kept] for row in rows]
    return "\n".join(["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *("| " + " | ".join(row) + " |" for row in rows)])


def verdict_table(results):
    return table(["aim", "limit", "measured", ""], [[one.aim, one.limit, one.measured, one.word] for one in verdicts(results)]
                 if results.lines else [])


def row_title(name, sound, film=None):
    return PLAYERS[name] + (f", {short(film)}" if film else "") + (", with sound" if sound == "sound" else "")


def cpu_tables(results):
    """Those that were measured in all sizes; the others in a row of their own."""
    made = []
    for stage in STAGES:
        rows = []
        for sound in ["silent", "sound"]:
            for name in ORDER:
                cells = [spread(results.values(f"playing/{stage}/{film}/{sound}/{name}", "cpu"), 1) for film in FILMS]
                rows.append([row_title(name, sound), *cells])
        found = table([f"% of one processor, {TITLES[stage]}", *map(short, FILMS)], rows)
        if found:
            made.append(found)
    rows = []
    for film in FILMS:
        for sound in ["silent", "sound"]:
            for name in ORDER:
                cases = [f"playing/{stage}/{film}/{sound}/{name}" for stage in STAGES[:2]]
                rows.append([row_title(name, sound, film),
                             *(spread(results.values(case, key), 1) for key in ["cpu_compositor", "frames"] for case in cases)])
    made.append(table(["meanwhile", "Weston (RGB), %", "Weston (GL), %", "different frames on the screen /s, RGB", "GL"], rows))
    return [one for one in made if one]


def memory_table(results):
    rows = [[PLAYERS[name], *(spread(results.values(f"playing/{stage}/film-720p/silent/{name}", key), 1)
                              for stage in STAGES for key in ["anonymous", "peak"])] for name in ORDER]
    return table(["MB, 720p, no sound", *(f"{key}, {TITLES[stage]}" for stage in STAGES for key in ["of no file", "the most"])], rows)


def start_table(results):
    rows = [[title, *(spread(results.values(f"starts/{stage}/{name}", "first_frame"), 0) for stage in STAGES)]
            for name, title in [("vitrine", "Vitrine"), ("run-20", "Vitrine, `run` with 20 items"), ("gst-launch", PLAYERS["gst-launch"]),
                                ("gst-play", PLAYERS["gst-play"]), ("mpv", "mpv")]]
    return table(["ms from the start of the process to the first frame", *(TITLES[stage] for stage in STAGES)], rows)


def seek_table(results):
    rows = []
    for case, title in [("exact/vitrine", "Vitrine, exact"), ("keyframe/vitrine", "Vitrine, key frames"),
                        ("exact/mpv", "mpv, exact"), ("keyframe/mpv", "mpv, key frames"), ("keyframe/gst-play", "gst-play-1.0, key frames")]:
        times = results.values(f"seeks/{case}", "times")
        asked = sum(results.values(f"seeks/{case}", "asked"))
        rows.append([title, *(f"{share(times, part):.0f}" if times else "" for part in [0.5, 0.95]),
                     f"{len(times)} of {asked}" if asked else ""])
    return table(["ms from the request to the picture", "p50", "p95", "shown"], rows)


def other_table(results):
    rows = [[f"{int(items):,} item{'' if items == '1' else 's'}", spread(results.values(f"lists/{items}", "first_frame"), 1),
             spread(results.values(f"lists/{items}", "rss"), 1), spread(results.values(f"lists/{items}", "next"), 2)]
            for items in ["1", "1000", "100000"]]
    lists = table(["Vitrine, into nothing", "first frame, ms", "Rss, MB", "`next` answered, ms"], rows)
    rows = [[title, spread(results.values(f"quiet/{case}", "wakes"), 2), spread(results.values(f"quiet/{case}", "cpu"), 2)]
            for case, title in [("picture", "a picture that stays"), ("asleep", "the screen asleep")]]
    return [one for one in [lists, table(["Vitrine, nothing to do", "wake-ups /s", "% of one processor"], rows)] if one]


def chapter(title, *parts):
    """None where nothing of it was measured."""
    found = [part for part in parts if part]
    return "\n\n".join([f"## {title}", *found]) if found else None


def section(results, versions, is_quick):
    pictures = plots.all_of_them(results)
    figure = lambda name: f"![{ALT[name]}](performance/{pictures[name]})" if pictures.get(name) else None
    loads = [entry["load"] for entry in results.lines.values() if "load" in entry]
    rounds = "Quick run: few rounds, one size." if is_quick else "Medians of at least 5 rounds, in which the players take turns."
    troubles = [f"- {case}: {why}" for case, why in sorted(results.troubles().items())]
    parts = [
        f"- {machine(loads)}\n- {'; '.join(versions)}",
        f"{rounds} In brackets the lowest and the highest. The film is generated: a moving texture with grain, 3 to 8 Mbit/s, on a screen as "
        "large as it ([decision 0164](decisions/0164-bench.md)).",
        verdict_table(results),
        chapter("Processor", figure("cpu"), *cpu_tables(results)),
        chapter("Memory", figure("memory"), memory_table(results)),
        chapter("First frame", figure("first-frame"), start_table(results)),
        chapter("Seeks", figure("seeks"), seek_table(results)),
        chapter("Long lists, and nothing to do", *other_table(results)),
    ]
    if troubles:
        parts += ["Not measured, and why:", "\n".join(troubles)]
    return "\n\n".join(part for part in parts if part)


def write(text):
    before, begin, rest = DOCUMENT.read_text().partition(BEGIN)
    _, finish, after = rest.partition(END)
    if not begin or not finish:
        raise Trouble(f"{DOCUMENT} lacks the markers {BEGIN} and {END}")
    unfinished = DOCUMENT.with_name(".unfinished-performance.md")
    unfinished.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}")
    unfinished.replace(DOCUMENT)
