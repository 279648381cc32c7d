"""The clips: generated, with fixed seeds, kept in build/bench/clips.

The film looks like one to a decoder: a texture whose detail falls with its frequency, as in photographs, that the camera pans over; a
second one that moves across it; grain that is new in every frame. 3 to 8 Mbit/s. Each frame carries its number in three bars at the top,
in the layout of Tests/Tools/make-media, so that what a compositor shows can be read.
"""

import fcntl
import subprocess

from .places import BUILD, Trouble

# Name: width, height, kbit/s, seconds. The rates are what films of these sizes are shipped with.
FILMS = {
    "film-360p": (640, 360, 3000, 20),
    "film-720p": (1280, 720, 5000, 20),
    "film-1080p": (1920, 1080, 8000, 20),
    # For seeks, which need places far from each other.
    "long-360p": (640, 360, 3000, 60),
    # For lists whose transitions are counted by the thousand: three frames.
    "short-360p": (640, 360, 3000, 0.1),
    "film-2160p": (3840, 2160, 20000, 8),
}
RATE = 30
# A key frame every two seconds, as encoders for streaming are set.
KEY_INTERVAL = 60
BITS, COLUMNS = 16, 20
# Changed when the clips are other ones.
VERSION = "1"


def texture(path, width, height, seed):
    """Noise of several octaves, each half as strong as the one below it: the spectrum of photographs."""
    import numpy
    generator = numpy.random.Generator(numpy.random.PCG64(seed))
    picture = numpy.zeros((height, width, 3))
    cell, strength = 256, 1.0
    while cell >= 2:
        rows, columns = height // cell + 2, width // cell + 2
        grid = generator.standard_normal((rows, columns, 3))
        # There is less of colour than of light in photographs, and none of it is fine.
        light = grid.mean(axis=2, keepdims=True)
        grid = light * 1.5 + (grid - light) * (0.35 if cell >= 32 else 0)
        y, x = numpy.arange(height) / cell, numpy.arange(width) / cell
        top, left = y.astype(int), x.astype(int)
        down, right = (y - top)[:, None, None], (x - left)[None, :, None]
        upper = grid[top][:, left] * (1 - right) + grid[top][:, left + 1] * right
        lower = grid[top + 1][:, left] * (1 - right) + grid[top + 1][:, left + 1] * right
        picture += strength * (upper * (1 - down) + lower * down)
        cell, strength = cell // 2, strength * 0.62
    picture = numpy.clip(128 + picture * 38, 0, 255).astype("uint8")
    path.write_bytes(b"P6 %d %d 255\n" % (width, height) + picture.tobytes())


def number_strip(width):
    """Filters that write the frame's number into its first rows."""
    side = width // COLUMNS
    boxes = [f"drawbox=0:0:{width}:{3 * side}:color=0x808080:t=fill"]
    for bit in range(BITS):
        place = f"{side * (1 + bit)}:{side}:{side}:{side}"
        boxes.append(f"drawbox={place}:color=black:t=fill")
        boxes.append(f"drawbox={place}:color=white:t=fill:enable='mod(floor(n/{2 ** (BITS - 1 - bit)})\\,2)'")
    return ",".join(boxes)


def encode(path, width, height, kbits, seconds, has_sound):
    ground, patch = path.with_suffix(".ground.ppm"), path.with_suffix(".patch.ppm")
    texture(ground, width * 5 // 4, height * 5 // 4, seed=1)
    texture(patch, width // 3 // 2 * 2, height // 2 // 2 * 2, seed=2)
    filters = (
        # A camera that pans in a slow ellipse, and something that crosses the picture every seven seconds.
        f"[0:v]crop={width}:{height}:x='(iw-ow)/2*(1+sin(t*0.7))':y='(ih-oh)/2*(1+cos(t*0.5))'[back];"
        f"[back][1:v]overlay=x='mod(t*{width}/5\\,{width * 7 // 5})-{width // 3}':y='{height}/3+{height}/8*sin(t)'[both];"
        f"[both]noise=alls=14:allf=t+u:all_seed=3,{number_strip(width)},format=yuv420p[out]")
    command = ["ffmpeg", "-nostdin", "-y", "-loglevel", "error"]
    for picture in (ground, patch):
        command += ["-loop", "1", "-framerate", str(RATE), "-i", str(picture)]
    sound = []
    if has_sound:
        command += ["-f", "lavfi", "-i", "anoisesrc=colour=pink:seed=4:amplitude=0.1:sample_rate=48000"]
        sound = ["-map", "2:a", "-c:a", "aac", "-b:a", "128k"]
    command += ["-filter_complex", filters, "-map", "[out]", *sound, "-t", str(seconds), "-c:v", "libx264", "-preset", "veryfast",
                "-threads", "2", "-g", str(KEY_INTERVAL), "-keyint_min", str(KEY_INTERVAL), "-sc_threshold", "0",
                "-b:v", f"{kbits}k", "-maxrate", f"{kbits * 5 // 4}k", "-bufsize", f"{kbits * 2}k", "-fflags", "+bitexact",
                "-flags:v", "+bitexact", "-flags:a", "+bitexact", "-map_metadata", "-1", "-movflags", "+faststart", str(path)]
    try:
        subprocess.run(command, check=True, timeout=1500)
    finally:
        for picture in (ground, patch):
            picture.unlink(missing_ok=True)


def clip(name, has_sound=False):
    """Its path; made when it isn't there."""
    directory = BUILD / "clips"
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / f"{name}{'-sound' if has_sound else ''}.{VERSION}.mp4"
    with open(directory / ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            unfinished = path.with_suffix(".unfinished.mp4")
            try:
                encode(unfinished, *FILMS[name], has_sound)
            except subprocess.SubprocessError as problem:
                unfinished.unlink(missing_ok=True)
                raise Trouble(f"{name} could not be made: {problem}")
            unfinished.replace(path)
    return path


def picture():
    """A still picture."""
    path = BUILD / f"clips/picture.{VERSION}.png"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        texture(path.with_suffix(".ppm"), 1280, 720, seed=5)
        subprocess.run(["ffmpeg", "-nostdin", "-y", "-loglevel", "error", "-i", str(path.with_suffix(".ppm")), "-fflags", "+bitexact",
                        str(path)], check=True, timeout=60)
    return path


def size(name):
    return FILMS[name][:2]


def size_of(path):
    """Of a clip's file, as options have it."""
    name = str(path).rpartition("/")[2].partition(".")[0].removesuffix("-sound")
    return "x".join(map(str, FILMS[name][:2])) if name in FILMS else "1280x720"
