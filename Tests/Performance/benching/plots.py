"""The figures, as SVG, by gnuplot."""

import subprocess

from .places import PICTURES, Trouble
from .plan import FILMS, STAGES
from .players import TITLES as PLAYERS
from .results import median
from .stages import TITLES
from .verdicts import short

# Ours stands out; the others are told apart without colour too, by how light they are.
COLOURS = {"vitrine": "#0b5c8a", "vitrine-bar": "#5fa8d3", "gst-launch": "#8a8f98", "gst-play": "#b9bec6", "mpv": "#d9822b",
           "mpv-gpu": "#f0b878", "vlc": "#c9b458", "ffmpeg": "#dfe3e8", "run-20": "#5fa8d3"}
TEXT, GRID = "#333333", "#e3e6ea"


def names(values):
    return {name: PLAYERS.get(name, "Vitrine, run, 20 items") for name in values}


def draw(file, width, height, script):
    PICTURES.mkdir(parents=True, exist_ok=True)
    head = f"""
set terminal svg size {width},{height} background '#ffffff' font 'Helvetica,13' enhanced
set output '{PICTURES / file}'
set encoding utf8
set border 3 lc rgb '{TEXT}' lw 0.6
set tics nomirror textcolor rgb '{TEXT}'
set grid ytics lt 1 lc rgb '{GRID}' lw 0.6
set style data histogram
set style histogram errorbars gap 1.4 lw 0.9
set style fill solid noborder
set boxwidth 0.92
set errorbars 0.5 front lw 0.9 lc rgb '{TEXT}'
set yrange [0:*]
set key outside bottom center horizontal textcolor rgb '{TEXT}' samplen 1.2 width 1
set datafile missing 'NaN'
"""
    outcome = subprocess.run(["gnuplot"], input=head + script, capture_output=True, text=True, timeout=120)
    if outcome.returncode != 0:
        raise Trouble(f"gnuplot: {outcome.stderr[-400:]}")


def block(name, groups, series, values):
    """A table for gnuplot: a line for each group, three columns (median, lowest, highest) for each series."""
    lines = [f"${name} << EOD"]
    for group, title in groups:
        cells = [f'"{title}"']
        for one in series:
            found = values(group, one)
            cells += [f"{median(found):.4g}", f"{min(found):.4g}", f"{max(found):.4g}"] if found else ["NaN", "NaN", "NaN"]
        lines.append(" ".join(cells))
    return "\n".join([*lines, "EOD", ""])


def bars(name, series, has_key):
    parts = []
    for number, (one, title) in enumerate(names(series).items()):
        column = 2 + 3 * number
        title = f"title '{title}'" if has_key else "notitle"
        parts.append(f"${name} using {column}:{column + 1}:{column + 2}" + (":xtic(1)" if number == 0 else "")
                     + f" {title} lc rgb '{COLOURS[one]}'")
    return "plot " + ", ".join(parts) + "\n"


def panels(file, titles, unit, blocks, series, height=380):
    """One panel beside the other with the same scale, and one key for all."""
    script = "".join(blocks)
    highest = max(float(cell) for text in blocks for line in text.splitlines() if line.startswith('"')
                  for cell in line.rpartition('"')[2].split() if cell != "NaN")
    script += f"set multiplot layout 1,{len(titles)} margins 0.09,0.985,0.22,0.88 spacing 0.05,0\n"
    groups = sum(line.startswith('"') for line in blocks[0].splitlines())
    script += f"set xrange [-0.6:{groups - 0.4}]\n"
    script += f"unset key\nset xtics scale 0\nset yrange [0:{highest * 1.06:.4g}]\n"
    for number, title in enumerate(titles):
        script += f"set title '{title}' textcolor rgb '{TEXT}'\n"
        script += f"set ylabel '{unit}' offset 0.5,0 textcolor rgb '{TEXT}'\n" if number == 0 else "unset ylabel\n"
        script += bars(f"p{number}", series, False)
    # The key by itself: a plot of nothing over the whole picture.
    script += ("set origin 0,0\nset size 1,1\nset lmargin 0\nset rmargin 0\nset tmargin 0\nset bmargin 0\nunset border\nunset tics\n"
               "unset title\nunset ylabel\nset key at screen 0.5,0.075 center horizontal\nset xrange [0:1]\nset yrange [0:1]\n")
    keys = [f"NaN with boxes lc rgb '{COLOURS[one]}' title '{title}'" for one, title in names(series).items()]
    script += "plot " + ", ".join(keys) + "\nunset multiplot\n"
    draw(file, 310 * len(titles) + 60, height, script)


def cpu(results):
    films = [film for film in FILMS if results.values(f"playing/rgb/{film}/silent/vitrine", "cpu")]
    if not films:
        return None
    series = [name for name in ["vitrine", "vitrine-bar", "gst-launch", "gst-play", "mpv", "mpv-gpu", "vlc", "ffmpeg"]
              if any(results.values(f"playing/{stage}/{film}/silent/{name}", "cpu") for stage in STAGES for film in films)]
    blocks = [block(f"p{number}", [(film, short(film)) for film in films], series,
                    lambda film, name, stage=stage: results.values(f"playing/{stage}/{film}/silent/{name}", "cpu"))
              for number, stage in enumerate(STAGES)]
    panels("cpu.svg", [TITLES[stage] for stage in STAGES], "% of one processor", blocks, series)
    return "cpu.svg"


def one_axis(results, file, unit, key, case, series):
    """A panel for each stage with one bar for each player."""
    series = [name for name in series if any(results.values(case(stage, name), key) for stage in STAGES)]
    if not series:
        return None
    blocks = [block(f"p{number}", [(stage, "")], series, lambda stage, name: results.values(case(stage, name), key))
              for number, stage in enumerate(STAGES)]
    panels(file, [TITLES[stage] for stage in STAGES], unit, blocks, series, height=330)
    return file


def seeks(results):
    cases = [("exact/vitrine", "Vitrine, exact", "vitrine"), ("keyframe/vitrine", "Vitrine, key frames", "vitrine-bar"),
             ("exact/mpv", "mpv, exact", "mpv"), ("keyframe/mpv", "mpv, key frames", "mpv-gpu"),
             ("keyframe/gst-play", "gst-play, key frames", "gst-play")]
    cases = [(case, title, colour) for case, title, colour in cases if results.values(f"seeks/{case}", "times")]
    if not cases:
        return None
    # Each seek is a step: how many of them were through after so many milliseconds.
    script = ""
    for number, (case, _, _) in enumerate(cases):
        times = sorted(results.values(f"seeks/{case}", "times"))
        steps = ["0 0"] + [f"{took:.2f} {100 * (index + 1) / len(times):.2f}" for index, took in enumerate(times)]
        script += f"$s{number} << EOD\n" + "\n".join(steps) + "\nEOD\n"
    script += ("set key inside right bottom vertical\nset xlabel 'ms from the request to the first picture of the new place'\n"
               "set ylabel '% of the seeks'\nset yrange [0:100]\nset grid xtics\nset xrange [0:*]\n")
    script += "plot " + ", ".join(f"$s{number} using 1:2 with steps lw 2.2 lc rgb '{COLOURS[colour]}' title '{title}'"
                                  for number, (_, title, colour) in enumerate(cases)) + "\n"
    draw("seeks.svg", 760, 360, script)
    return "seeks.svg"


def all_of_them(results):
    """The files that could be drawn."""
    series = ["vitrine", "run-20", "gst-launch", "gst-play", "mpv"]
    return {
        "cpu": cpu(results),
        "memory": one_axis(results, "memory.svg", "MB of no file", "anonymous", lambda stage, name: f"playing/{stage}/film-720p/silent/{name}",
                           ["vitrine", "gst-launch", "gst-play", "mpv", "mpv-gpu", "vlc", "ffmpeg"]),
        "first-frame": one_axis(results, "first-frame.svg", "ms", "first_frame", lambda stage, name: f"starts/{stage}/{name}", series),
        "seeks": seeks(results),
    }
