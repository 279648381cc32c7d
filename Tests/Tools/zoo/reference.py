"""The expected picture: ffmpeg's own decode, upright, in square pixels, fitted to the screen; and the difference of a
screenshot from it."""

import subprocess
from dataclasses import dataclass

import numpy

from .hdr import on_plain_screen
from .kinds import SCREEN

DECODING_LIMIT = 120
# Pixels at the edge of a picture that depend on rounding.
EDGE = 2
# Above this brightness the borders aren't black.
BORDER_BOUND = 8.0

FIELDS = "yadif=mode=send_field:parity=auto:deint=interlaced"


class ReferenceFailed(Exception):
    pass


@dataclass(frozen=True)
class Rectangle:
    x: int
    y: int
    width: int
    height: int


def fitted(shown, screen=SCREEN):
    """The position of a picture of this size on the screen."""
    scale = min(screen[0] / shown[0], screen[1] / shown[1])
    width, height = max(round(shown[0] * scale), 1), max(round(shown[1] * scale), 1)
    return Rectangle((screen[0] - width) // 2, (screen[1] - height) // 2, width, height)


def raw_frames(command, size, kind=numpy.uint8):
    outcome = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=DECODING_LIMIT)
    samples = size[0] * size[1] * 3
    frame = samples * kind().itemsize
    if len(outcome.stdout) < frame:
        raise ReferenceFailed(f"{' '.join(command)}\n{outcome.stderr.decode(errors='replace')}")
    count = len(outcome.stdout) // frame
    return numpy.frombuffer(outcome.stdout, kind, count * samples).reshape(count, size[1], size[0], 3)


def decode(kind, path, filters=None):
    """All expected frames, without the screen's borders."""
    rectangle = fitted(kind.shown)
    # Until the mapping, pixels follow the film's own curve.
    pixels = "rgb48le" if kind.hdr else "rgb24"
    steps = [step for step in kind.prepare.split(",") if step]
    options = []
    if "NOAUTOROTATE" in steps:
        steps.remove("NOAUTOROTATE")
        options = ["-noautorotate"]
    if "FIELDS" in steps:
        steps[steps.index("FIELDS")] = FIELDS if filters is None else filters
    # For a file that doesn't state the matrix, or whose statement is lost in the filters.
    matrix = [step for step in steps if step.startswith("in_color_matrix=")]
    steps = [step for step in steps if step not in matrix]
    if kind.is_smooth:
        steps.append(f"format=gbrp,zscale=w={rectangle.width}:h={rectangle.height}:filter=bilinear")
    else:
        steps.append(":".join([f"scale=w={rectangle.width}:h={rectangle.height}",
                               "flags=bilinear+accurate_rnd+full_chroma_int", *matrix]))
    command = ["ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", *options,
               *(kind.reference or ("-i", str(path))), "-map", "0:v:0", "-vf", ",".join([*steps, f"format={pixels}"]),
               "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", pixels, "-"]
    if kind.hdr:
        return on_plain_screen(raw_frames(command, (rectangle.width, rectangle.height), numpy.uint16), kind.hdr)
    return raw_frames(command, (rectangle.width, rectangle.height))


def read_picture(path):
    """Reads a screenshot in any format that ffmpeg reads."""
    command = ["ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-i", str(path), "-frames:v", "1",
               "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    return raw_frames(command, SCREEN)[0]


def read_ppm(path):
    data = path.read_bytes()
    size = SCREEN[0] * SCREEN[1] * 3
    if not data.startswith(b"P6") or len(data) < size:
        raise ReferenceFailed(f"{path} isn't a screenshot of the right size")
    return numpy.frombuffer(data, numpy.uint8, size, len(data) - size).reshape(SCREEN[1], SCREEN[0], 3)


@dataclass(frozen=True)
class Match:
    """The frame that is nearest to the screenshot."""
    index: int
    mean: float
    border: float


def match(screen, frames, shown):
    rectangle = fitted(shown)
    x, y, width, height = rectangle.x, rectangle.y, rectangle.width, rectangle.height
    edge = EDGE if min(width, height) > 8 * EDGE else 0
    inner = (slice(edge, height - edge), slice(edge, width - edge))
    part = screen[y:y + height, x:x + width][inner].astype(numpy.int16)
    best = min(range(len(frames)), key=lambda index: coarse(part, frames[index][inner]))
    mean = float(numpy.abs(part - frames[best][inner]).mean())
    outside = numpy.ones(screen.shape[:2], bool)
    outside[max(y - EDGE, 0):y + height + EDGE, max(x - EDGE, 0):x + width + EDGE] = False
    border = float(screen[outside].mean()) if outside.any() else 0.0
    return Match(best, mean, border)


def coarse(part, frame):
    """Every second pixel in each direction is enough to tell frames apart."""
    return float(numpy.abs(part[::2, ::2] - frame[::2, ::2]).mean())
