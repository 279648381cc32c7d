"""Plays kinds with a player and judges the results."""

import json
import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from . import reference
from .kinds import SCREEN
from .reference import BORDER_BOUND

# How long a picture, or an animation without an end, is shown.
STILL_SECONDS = 0.8
ANIMATION_SECONDS = 1.2
# Seconds of real time: the longest file lasts three seconds.
PLAYING_LIMIT = 90
SOUND_RATE = 48000


@dataclass
class Result:
    """The result of playing a file: `problems` is empty if all is as expected."""
    problems: list = field(default_factory=list)
    mean: float | None = None  # the largest of all moments
    frames: int | None = None
    seconds: float | None = None
    told: int | None = None  # the error number, if the player reported one

    def look(self, kind, screen, frames, moment, bound=None):
        """Compares a screenshot; returns the number of its frame."""
        found = reference.match(screen, frames, kind.shown)
        self.mean = max(self.mean or 0, found.mean)
        if found.mean > (bound or kind.bound):
            self.problems.append(f"{moment}: mean difference {found.mean:.1f}")
        elif found.border > BORDER_BOUND:
            self.problems.append(f"{moment}: borders of brightness {found.border:.0f}")
        return found.index


def stay(kind):
    """The duration for an item that has none itself."""
    if kind.group == "picture":
        return STILL_SECONDS
    return ANIMATION_SECONDS if kind.group == "animation" and kind.seconds is None else None


def playlist(kinds, folder):
    text = "version = 1\n[playback]\nloop = false\n"
    for kind in kinds:
        text += f'[[playlist.main.item]]\nuri = "{folder / kind.name}"\n'
        if stay(kind):
            text += f"duration = {stay(kind)}\n"
    return text


def check_report(kind, item, result, is_virtual):
    """Compares an item's report with the expectations."""
    if item["errors"]:
        result.told = item["errors"][0]["number"]
    if item["status"] != "played":
        result.problems.append(item["errors"][0]["text"] if item["errors"] else f"status {item['status']}")
        return False
    if item["errors"]:
        result.problems.append(item["errors"][0]["text"])
    rendered = item["frames_rendered"]
    result.frames, result.seconds = rendered, item["duration_seconds"]
    allowed = allowed_frames(kind)
    # In real time a busy machine drops some frames; there are never more.
    if allowed and (rendered not in allowed if is_virtual else rendered > max(allowed)):
        result.problems.append(f"{rendered} frames, not {allowed[0]}")
    if kind.seconds is not None:
        if result.seconds is None:
            result.problems.append("no duration")
        elif abs(result.seconds - kind.seconds) > kind.tolerance:
            result.problems.append(f"{result.seconds:.2f} s, not {kind.seconds:.2f}")
    if kind.group == "film" and item["width"]:
        above, below = (int(part) for part in (item["pixel_aspect"] or "1/1").split("/"))
        ours, theirs = item["width"] * above / below / item["height"], kind.shown[0] / kind.shown[1]
        if abs(ours / theirs - 1) > 0.01:
            result.problems.append(f"shape {item['width']}x{item['height']}, pixels {item['pixel_aspect']}")
    return True


def allowed_frames(kind):
    if kind.frames is None or kind.group == "sound":
        return []
    # Each field of an interlaced film may be a frame.
    return [kind.frames * 2, kind.frames] if "FIELDS" in kind.prepare else [kind.frames]


# -- vitrine, headless, in real time ---------------------------------------------------------------

def vitrine_headless(kind, folder, binary):
    result = Result()
    frames = reference.decode(kind, folder / kind.name) if kind.group != "sound" else None
    moments = {"film": [("the middle", (kind.seconds or 1) / 2), ("the end", 60)],
               "sound": [("all of it", None)]}.get(kind.group, [("the picture", 0.4)])
    for moment, at in moments:
        with tempfile.TemporaryDirectory() as work:
            report, shot = Path(work) / "report.json", Path(work) / "screen.png"
            config = Path(work) / "vitrine.toml"
            config.write_text(playlist([kind], folder))
            command = [binary, "run", "--config", str(config), "--output", "headless", "--osd", "never", "-q",
                       "--size", f"{SCREEN[0]}x{SCREEN[1]}", "--report", str(report)]
            command += ["--snapshot", str(shot), "--at", f"{at:.2f}"] if at else []
            command += [] if kind.has_sound else ["--no-audio"]
            try:
                outcome = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=PLAYING_LIMIT)
            except subprocess.TimeoutExpired:
                result.problems.append(f"{moment}: still playing after {PLAYING_LIMIT} s")
                return result
            if outcome.returncode < 0:
                result.problems.append(
                    f"crashed by signal {-outcome.returncode} ({moment}): {outcome.stderr.decode(errors='replace')[-600:]}")
                return result
            if not report.exists():
                result.problems.append(f"exit code {outcome.returncode}: {outcome.stderr.decode()[-300:]}")
                return result
            story = json.loads(report.read_text())
            item = story["items"][0]
            if not check_report(kind, item, result, is_virtual=False):
                return result
            if at and not shot.exists():
                result.problems.append(f"{moment}: no snapshot")
            elif at:
                index = result.look(kind, reference.read_picture(shot), frames, moment)
                # If the machine was not too busy and no frame was dropped, the last frame stays.
                is_whole = kind.tells_frames and result.frames in allowed_frames(kind)
                if moment == "the end" and is_whole and index < len(frames) - (2 if "FIELDS" in kind.prepare else 1):
                    result.problems.append(f"ends with frame {index} of {len(frames)}")
    result.problems = list(dict.fromkeys(result.problems))
    return result


# -- gst-play-1.0 --------------------------------------------------------------------------------

def gst_play(kind, folder, _):
    result = Result()
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as work:
        video, audio = Path(work) / "video", Path(work) / "audio"
        width, height = SCREEN
        command = ["gst-play-1.0", "--no-interactive", "--quiet", "--no-position",
                   "--videosink=videoconvert ! videoscale add-borders=true ! video/x-raw,format=RGB,"
                   f"width={width},height={height},pixel-aspect-ratio=1/1 ! filesink sync=false location={video}",
                   "--audiosink=audioconvert ! audioresample ! "
                   f"audio/x-raw,format=S16LE,rate={SOUND_RATE},channels=1 ! filesink sync=false location={audio}",
                   str(folder / kind.name)]
        try:
            outcome = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=PLAYING_LIMIT)
        except subprocess.TimeoutExpired:
            result.problems.append("hangs")
            return result
        said = outcome.stdout + outcome.stderr
        if outcome.returncode < 0:
            result.problems.append(f"crashed by signal {-outcome.returncode}")
        elif b"ERROR" in said:
            result.problems.append("error: " + re.sub(r"\s+", " ", re.search(
                rb"ERROR (.*)", said).group(1).decode(errors="replace"))[:80])
        judge_files(kind, folder, result, video, audio)
    return result


def judge_files(kind, folder, result, video, audio):
    """Judges a file with all frames of the screen, and a file with samples."""
    if kind.group == "sound":
        seconds = audio.stat().st_size / 2 / SOUND_RATE if audio.exists() else 0
        result.seconds = seconds
        if abs(seconds - kind.seconds) > kind.tolerance:
            result.problems.append(f"{seconds:.2f} s of sound" if seconds else "no sound")
        return
    size = SCREEN[0] * SCREEN[1] * 3
    data = reference.numpy.fromfile(video, reference.numpy.uint8) if video.exists() else []
    count = len(data) // size
    result.frames = count
    if count == 0:
        result.problems.append("no frames")
        return
    allowed = allowed_frames(kind)
    if allowed and count not in allowed:
        result.problems.append(f"{count} frames, not {allowed[0]}")
    frames = reference.decode(kind, folder / kind.name)
    for moment, index in (("the middle", count // 2), ("the end", count - 1)) if count > 1 else (("the picture", 0),):
        screen = data[index * size:(index + 1) * size].reshape(SCREEN[1], SCREEN[0], 3)
        result.look(kind, screen, frames, moment)


# -- mpv -----------------------------------------------------------------------------------------

def mpv_fit(aspect):
    """ffmpeg filters that fit a picture of this aspect to the screen, because mpv's image output doesn't."""
    width = max(1, round(min(SCREEN[0], SCREEN[1] * aspect)))
    height = max(1, round(min(SCREEN[1], SCREEN[0] / aspect)))
    return (f"scale=w={width}:h={height}:flags=bilinear+accurate_rnd+full_chroma_int,setsar=1,"
            f"pad={SCREEN[0]}:{SCREEN[1]}:(ow-iw)/2:(oh-ih)/2")


def mpv(kind, folder, _):
    result = Result()
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as work:
        video, audio = Path(work) / "video", Path(work) / "audio"
        command = ["mpv", "--no-config", "--untimed", "--framedrop=no", "--no-sub", "--msg-level=all=error",
                   "--audio-display=no", "--vo=image", f"--vo-image-outdir={work}/pictures", "--vo-image-format=png",
                   "--vo-image-png-compression=0", "--vo-image-high-bit-depth=no",
                   f"--image-display-duration={STILL_SECONDS}", "--term-status-msg=aspect=${video-out-params/aspect}",
                   str(folder / kind.name)]
        if kind.group == "sound":
            command[1:1] = ["--ao=pcm", f"--ao-pcm-file={audio}", "--ao-pcm-waveheader=no", "--no-video",
                            "--audio-format=s16", f"--audio-samplerate={SOUND_RATE}", "--audio-channels=mono"]
        else:
            command[1:1] = ["--no-audio"]
        if kind.group == "animation" and kind.seconds is None:
            command[1:1] = ["--loop-file=no"]
        try:
            outcome = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=PLAYING_LIMIT)
        except subprocess.TimeoutExpired:
            result.problems.append("hangs")
            return result
        if outcome.returncode < 0:
            result.problems.append(f"crashed by signal {-outcome.returncode}")
        elif outcome.returncode:
            result.problems.append(f"exit code {outcome.returncode}")
        pictures = sorted((Path(work) / "pictures").glob("*.png")) if (Path(work) / "pictures").exists() else []
        if pictures:
            aspects = re.findall(rb"aspect=([0-9.]+)", outcome.stdout + outcome.stderr)
            aspect = float(aspects[-1]) if aspects else kind.shown[0] / kind.shown[1]
            with open(video, "wb") as out:
                subprocess.run(["ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-i",
                                f"{work}/pictures/%08d.png", "-vf", mpv_fit(aspect), "-f", "rawvideo",
                                "-pix_fmt", "rgb24", "-"],
                               stdout=out, stdin=subprocess.DEVNULL, timeout=PLAYING_LIMIT, check=False)
            shutil.rmtree(f"{work}/pictures")
        judge_files(kind, folder, result, video, audio)
    return result
