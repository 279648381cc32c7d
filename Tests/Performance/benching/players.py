"""How each player is told to play a clip on a stage, with its overlay hidden and the film filling the screen."""

import os
import shutil
import subprocess

from . import clips

# As Debian calls the packages of deploy/setup's list "bench".
PROGRAMS = {"vitrine": None, "vitrine-bar": None, "gst-launch": "gst-launch-1.0", "gst-play": "gst-play-1.0", "mpv": "mpv",
            "mpv-gpu": "mpv", "vlc": "vlc", "ffmpeg": "ffmpeg"}
TITLES = {"vitrine": "Vitrine", "vitrine-bar": "Vitrine, bar shown", "gst-launch": "gst-launch playbin3", "gst-play": "gst-play-1.0",
          "mpv": "mpv", "mpv-gpu": "mpv, --vo=gpu", "vlc": "VLC", "ffmpeg": "ffmpeg, decodes only"}


class Players:
    def __init__(self, binary):
        self.binary = binary

    def is_there(self, name):
        program = PROGRAMS[name]
        return self.binary.exists() if program is None else shutil.which(program) is not None

    def command(self, name, stage, clip, has_sound=False):
        """None where that player has no such output."""
        return getattr(self, name.replace("-", "_"))(stage, str(clip), has_sound)

    def vitrine(self, stage, clip, has_sound, bar="never"):
        output = ["headless", "--size", clips.size_of(clip)] if stage == "nothing" else ["wayland"]
        return [self.binary, "play", "--quiet", "--output", *output, "--osd", bar, *([] if has_sound else ["--no-audio"]), clip]

    def vitrine_bar(self, stage, clip, has_sound):
        return None if stage == "nothing" else self.vitrine(stage, clip, has_sound, bar="always")

    def gst_launch(self, stage, clip, has_sound):
        # As decoded: what it costs to hand frames on, and nothing more.
        sink = "fakesink sync=true" if stage == "nothing" else "waylandsink fullscreen=true"
        return ["gst-launch-1.0", "-q", "playbin3", f"uri=file://{clip}", f"video-sink={sink} name=screen",
                *([] if has_sound else ["audio-sink=fakesink sync=true"])]

    def gst_play(self, stage, clip, has_sound):
        sink = "fakesink sync=true" if stage == "nothing" else "waylandsink fullscreen=true"
        return ["gst-play-1.0", "--quiet", "--no-interactive", f"--videosink={sink} name=screen",
                *([] if has_sound else ["--audiosink=fakesink sync=true"]), clip]

    def mpv(self, stage, clip, has_sound, output=("--vo=wlshm",)):
        output = ["--vo=null"] if stage == "nothing" else list(output)
        return ["mpv", "--no-config", "--really-quiet", "--no-terminal", "--hwdec=no", "--fs", "--no-osc", *output,
                "--ao=pulse" if has_sound else "--no-audio", clip]

    def mpv_gpu(self, stage, clip, has_sound):
        if stage == "nothing":
            return None
        # Without a graphics card OpenGL is the processor's work; --gpu-sw lets it.
        return self.mpv(stage, clip, has_sound, ["--vo=gpu", "--gpu-context=wayland", "--gpu-sw"])

    def vlc(self, stage, clip, has_sound):
        output = "vdummy" if stage == "nothing" else "wl_shm"
        # What cvlc is. It refuses to run as root.
        unprivileged = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "env", "HOME=/tmp"] if os.geteuid() == 0 else []
        return [*unprivileged, "vlc", "-I", "dummy", "--quiet", "--fullscreen", "--no-video-title-show", "--play-and-exit", "--no-osd",
                "--vout", output, *(["--aout", "pulse"] if has_sound else ["--no-audio"]), clip]

    def ffmpeg(self, stage, clip, has_sound):
        if stage != "nothing":
            return None
        return ["ffmpeg", "-nostdin", "-loglevel", "quiet", "-re", "-i", clip, *([] if has_sound else ["-an"]), "-f", "null", "-"]

    def versions(self):
        lines = []
        for command in ([self.binary, "--version"], ["gst-launch-1.0", "--version"], ["mpv", "--version"], ["vlc", "--version"],
                        ["ffmpeg", "-version"], ["weston", "--version"]):
            if shutil.which(str(command[0])) is None:
                continue
            if command[0] == "vlc" and os.geteuid() == 0:
                command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", *command]
            text = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=60).stdout
            words = (text.splitlines() or ["?"])[0].split(" Copyright")[0].strip()
            lines.append(f"Vitrine {words}" if command[0] == self.binary else words)
        return lines
