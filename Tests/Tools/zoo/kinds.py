"""A kind of file: how it is made, and what a player has to show."""

from dataclasses import dataclass, field
from fractions import Fraction

# ffmpeg filters that lay a transparent picture on black.
# Filters of ffmpeg that lay a transparent picture on black.
AS_SHOWN_ON_BLACK = "format=gbrap,premultiply=inplace=1"

SCREEN = (640, 480)
# The allowed mean difference of a picture, of 255.
BOUND = 8.0
# For kinds that test the colours: swapped matrices differ by more than this, encoders by less.
COLOUR_BOUND = 4.0


@dataclass(frozen=True)
class Kind:
    name: str  # of the file
    group: str  # film, animation, picture or sound
    about: str
    commands: tuple = ()  # each a tuple of words; OUT is the file, WORK a folder for what lies between
    patch: object = None  # a function of the bytes, after the commands
    frames: int | None = None
    # How long it plays, in seconds, and the tolerance; None if the playlist's item sets the duration.
    seconds: float | None = None
    tolerance: float = 0.05
    rate: Fraction = Fraction(25)
    shown: tuple = (320, 180)  # in square pixels, upright
    reference: tuple = ()  # ffmpeg input in place of the file itself, if ffmpeg can't decode it as people see it
    prepare: str = ""  # ffmpeg filters from its decode to the expected picture
    # A few pixels, magnified: ffmpeg's own scaler makes steps, which no screen does; zimg doesn't.
    is_smooth: bool = False
    hdr: str = ""  # pq or hlg: ffmpeg's decode is mapped by the formulas of zoo/hdr.py
    bound: float = BOUND
    has_sound: bool = False
    can_tell: bool = True
    # A board may report an error number instead of showing this kind.
    may_refuse: bool = False

    @property
    def tells_frames(self):
        """Whether the frames carry their number, so that they differ."""
        return self.group in ("film", "animation") and self.can_tell

    def recipe(self):
        return "; ".join(" ".join(word if " " not in word else f"'{word}'" for word in command)
                         for command in self.commands) + (f"; {self.patch.__name__}" if self.patch else "")


# -- the picture's content -----------------------------------------------------------------------

NUMBER_BITS = 7
# Pixels of width and height; in smaller pictures scaling and coding destroy the squares.
SMALLEST_NUMBERED = 48


def numbered():
    """A strip at the top with the frame's number in squares, so that no two frames are alike."""
    strip = "drawbox=x=0:y=0:w=iw:h=ih/8:color=black:t=fill"
    squares = [f"drawbox=x=iw*{bit}/{NUMBER_BITS}:y=0:w=iw/{NUMBER_BITS}:h=ih/8:color=white:t=fill"
               f":enable='mod(floor(n/{2 ** bit}),2)'" for bit in range(NUMBER_BITS)]
    return ",".join([strip] + squares)


def moving(size, rate, frames, with_number=True):
    width, height = size
    # Half a frame longer than needed, so that rounding doesn't lose the last frame.
    length = float((frames + Fraction(1, 2)) / Fraction(rate))
    graph = f"testsrc2=size={width}x{height}:rate={rate}:duration={length:.5f},trim=end_frame={frames},format=gbrp"
    return graph + ("," + numbered() if with_number and min(size) >= SMALLEST_NUMBERED else "")


def as_pixels(pixels, matrix, full=False):
    accurate = "flags=accurate_rnd+full_chroma_int+full_chroma_inp"
    return f"scale=out_color_matrix={matrix}:out_range={'pc' if full else 'tv'}:{accurate},format={pixels}"


FFMPEG = ("ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-y")
EXACT = ("-fflags", "+bitexact", "-flags", "+bitexact")
X264 = ("-c:v", "libx264", "-preset", "veryfast", "-crf", "14")
X265 = ("-c:v", "libx265", "-preset", "ultrafast", "-crf", "14", "-x265-params", "log-level=error")
STEREO = "sine=frequency=440:sample_rate=48000"


def words(text):
    return tuple(text.split())


def film(name, about, *codec, frames=30, rate="25", size=(320, 180), shown=None, sar=None, pixels="yuv420p",
         matrix="bt601", full=False, sound=None, sound_codec=(), sound_seconds=None, more="", source=None, expect=None,
         seconds=None, apply=None, **rest):
    """A film from the moving picture, or from another source."""
    expect = expect or frames
    length = float(Fraction(frames) / Fraction(rate))
    graph = (source or moving(size, rate, frames)) + more
    graph += "," + as_pixels(pixels, matrix, full) if pixels else ""
    graph += f",setsar={sar.replace(':', '/')}" if sar else ""
    command = FFMPEG + ("-f", "lavfi", "-i", graph)
    if sound:
        sound_seconds = sound_seconds or length
        command += ("-f", "lavfi", "-i", sound.format(f"{sound_seconds:.3f}") if "{" in sound else
                    f"{sound}:duration={sound_seconds:.3f}")
    # As filters of the input, ffmpeg 5.1's zscale hangs, and with several threads it sometimes fails.
    command += ("-filter_threads", "1", "-vf", apply) if apply else ()
    flat = tuple(word for part in codec for word in ((part,) if isinstance(part, str) else part))
    command += flat + tuple(sound_codec) + EXACT + ("OUT",)
    if shown is None:
        ratio = Fraction(sar.replace(":", "/")) if sar else Fraction(1)
        shown = (round(size[0] * ratio), size[1]) if ratio >= 1 else (size[0], round(size[1] / ratio))
    rest.setdefault("tolerance", max(float(1 / Fraction(rate)), 0.05 if sound else 0) + 0.001)
    rest.setdefault("can_tell", min(size) >= SMALLEST_NUMBERED)
    return Kind(name, "film", about, rest.pop("before", ()) + (command,) + rest.pop("after", ()), frames=expect,
                seconds=seconds or max(length, sound_seconds or 0), rate=Fraction(rate), shown=shown,
                has_sound=bool(sound), **rest)


def picture(name, about, *codec, size=(320, 240), pixels="", shown=None, commands=None, group="picture", **rest):
    graph = moving(size, 25, 1, with_number=False) + (f",format={pixels}" if pixels else "")
    if commands is None:
        flat = tuple(word for part in codec for word in ((part,) if isinstance(part, str) else part))
        commands = (FFMPEG + ("-f", "lavfi", "-i", graph, "-frames:v", "1") + flat + EXACT + ("OUT",),)
    return Kind(name, group, about, commands, frames=1, shown=shown or size, **rest)


def source_picture(size=(320, 240)):
    """The picture from which a kind was made, as an ffmpeg input."""
    return ("-f", "lavfi", "-i", moving(size, 25, 1, with_number=False))


def sound(name, about, *codec, seconds=1.2, source=STEREO, **rest):
    flat = tuple(word for part in codec for word in ((part,) if isinstance(part, str) else part))
    graph = source.format(seconds) if "{" in source else f"{source}:duration={seconds}"
    commands = rest.pop("commands", None) or (FFMPEG + ("-f", "lavfi", "-i", graph) + flat + EXACT + ("OUT",),)
    rest.setdefault("tolerance", 0.08)
    return Kind(name, "sound", about, commands, seconds=seconds, has_sound=True, **rest)
