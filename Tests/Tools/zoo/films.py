"""Films: containers, codecs, pixel formats, rates, sizes and times."""

from fractions import Fraction

from . import patches
from .kinds import COLOUR_BOUND, FFMPEG, STEREO, X264, X265, Kind, as_pixels, film, moving, words

AAC = words("-c:a aac -b:a 96k")
MOV_TAGS = {"bt601": "smpte170m", "bt709": "bt709", "bt2020": "bt2020nc"}


def tagged(matrix, primaries=None, transfer=None, full=False):
    name = MOV_TAGS[matrix]
    return ("-colorspace", name, "-color_primaries", primaries or {"bt2020nc": "bt2020"}.get(name, name),
            "-color_trc", transfer or {"bt2020nc": "bt2020-10"}.get(name, name),
            "-color_range", "pc" if full else "tv")


def codecs():
    x264, x265 = X264, X265
    yield film("h264-baseline.mp4", "H.264 baseline", x264, words("-profile:v baseline"))
    yield film("h264-main.mp4", "H.264 main", x264, words("-profile:v main"))
    yield film("h264-high-b-frames.mp4", "H.264 high, five B-frames in pyramids", x264, words("-bf 5 -b_strategy 0"))
    yield film("h264-high10.mp4", "H.264 high 10, 10 bits", x264, pixels="yuv420p10le")
    yield film("h264-422.mp4", "H.264 4:2:2", x264, pixels="yuv422p")
    yield film("h264-422-10.mov", "H.264 4:2:2, 10 bits", x264, pixels="yuv422p10le")
    yield film("h264-444.mp4", "H.264 4:4:4", x264, pixels="yuv444p")
    yield film("h264-grey.mp4", "H.264 without colour", x264, pixels="gray")
    yield film("h264-intra.mp4", "H.264, key frames only", x264, words("-g 1"))
    yield film("h264-slices.mp4", "H.264, four slices a frame, open groups", x264,
               words("-x264-params slices=4:open-gop=1:keyint=10"))
    yield film("h264-crf51.mp4", "H.264, as poor as it gets", X264[:4], words("-crf 51"), bound=20)
    yield film("hevc-main.mp4", "HEVC main, hvc1", x265, words("-tag:v hvc1"))
    yield film("hevc-hev1.mp4", "HEVC main, hev1", x265, words("-tag:v hev1"))
    yield film("hevc-main10.mkv", "HEVC main 10", x265, pixels="yuv420p10le")
    yield film("hevc-422-10.mp4", "HEVC 4:2:2, 10 bits", x265, pixels="yuv422p10le")
    yield film("hevc-444.mkv", "HEVC 4:4:4", x265, pixels="yuv444p")
    yield film("vp8.webm", "VP8", words("-c:v libvpx -deadline realtime -cpu-used 4 -b:v 2M"))
    vp9 = words("-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -crf 15 -b:v 0")
    yield film("vp9.webm", "VP9", vp9)
    yield film("vp9.mp4", "VP9 in MP4", vp9)
    yield film("vp9-10bit.webm", "VP9 profile 2, 10 bits", vp9, pixels="yuv420p10le")
    yield film("vp9-444.webm", "VP9 profile 1, 4:4:4", vp9, pixels="yuv444p")
    av1 = words("-c:v libsvtav1 -preset 10 -crf 20")
    yield film("av1.mp4", "AV1", av1)
    yield film("av1.webm", "AV1 in WebM", av1)
    yield film("av1-10bit.mkv", "AV1, 10 bits", av1, pixels="yuv420p10le")
    yield film("mpeg1.mpg", "MPEG-1 program stream", words("-c:v mpeg1video -q:v 2"), frames=70, sound=STEREO,
               sound_codec=words("-c:a mp2"))
    yield film("mpeg2.mpg", "MPEG-2 program stream", words("-c:v mpeg2video -q:v 2 -f vob"))
    yield film("mpeg2-422.ts", "MPEG-2 4:2:2", words("-c:v mpeg2video -q:v 2"), pixels="yuv422p", frames=70)
    yield film("mpeg4.avi", "MPEG-4 part 2 (Xvid)", words("-c:v mpeg4 -q:v 2 -bf 2 -vtag XVID"))
    yield film("mpeg4.mp4", "MPEG-4 part 2 in MP4", words("-c:v mpeg4 -q:v 2"))
    yield film("divx3.avi", "DivX 3 (MS MPEG-4 v3)", words("-c:v msmpeg4 -q:v 2"))
    yield film("mjpeg.avi", "Motion JPEG, as cameras make it", words("-c:v mjpeg -q:v 2"), pixels="yuvj422p", full=True)
    yield film("mjpeg.mov", "Motion JPEG in QuickTime", words("-c:v mjpeg -q:v 2"), pixels="yuvj420p", full=True)
    yield film("theora.ogv", "Theora", words("-c:v libtheora -q:v 9"))
    yield film("prores-422.mov", "ProRes 422", words("-c:v prores_ks -profile:v 2"), pixels="yuv422p10le")
    yield film("prores-4444.mov", "ProRes 4444 with an alpha channel", words("-c:v prores_ks -profile:v 4"),
               pixels="yuva444p10le")
    yield film("dnxhd.mov", "DNxHD 1280x720", words("-c:v dnxhd -b:v 90M"), pixels="yuv422p", size=(1280, 720),
               matrix="bt709", prepare="in_color_matrix=bt709", frames=15)
    yield film("dnxhr.mxf", "DNxHR in MXF", words("-c:v dnxhd -profile:v dnxhr_sq"), pixels="yuv422p", size=(640, 360),
               frames=15)
    yield film("ffv1.mkv", "FFV1", words("-c:v ffv1"))
    yield film("ffv1-rgb.mkv", "FFV1, RGB", words("-c:v ffv1"), pixels="bgr0")
    yield film("huffyuv.avi", "HuffYUV", words("-c:v huffyuv"), pixels="yuv422p", frames=20)
    yield film("utvideo.avi", "Ut Video", words("-c:v utvideo"), frames=20)
    yield film("raw.avi", "Uncompressed 4:2:0", words("-c:v rawvideo"), frames=20)
    yield film("raw-rgb.avi", "Uncompressed RGB", words("-c:v rawvideo"), pixels="bgr24", frames=20)
    yield film("uyvy.mov", "Uncompressed 4:2:2 in QuickTime", words("-c:v rawvideo -vtag 2vuy"), pixels="uyvy422",
               frames=20)
    yield film("v210.mov", "Uncompressed 4:2:2, 10 bits", words("-c:v v210"), pixels="yuv422p10le", frames=20)
    yield film("animation.mov", "QuickTime Animation", words("-c:v qtrle"), pixels="rgb24", frames=20)
    yield film("png.mov", "PNG in QuickTime", words("-c:v png"), pixels="rgb24", frames=20)
    yield film("jpeg2000.mov", "JPEG 2000 in QuickTime", words("-c:v jpeg2000 -q:v 1"), frames=20, may_refuse=True)
    yield film("cinepak.avi", "Cinepak, as on old CD-ROMs", words("-c:v cinepak -q:v 1"), pixels="rgb24",
               size=(160, 120), frames=20, bound=12)
    yield film("msvideo1.avi", "Microsoft Video 1", words("-c:v msvideo1"), pixels="rgb555le", size=(160, 120),
               frames=20, bound=12)
    yield film("wmv2.wmv", "Windows Media Video 8", words("-c:v wmv2 -q:v 2"))
    yield film("wmv1.asf", "Windows Media Video 7", words("-c:v wmv1 -q:v 2"))
    yield film("h263.3gp", "H.263, as old telephones made it", words("-c:v h263 -q:v 2"), size=(176, 144), sar="12:11")
    yield film("sorenson.flv", "Sorenson H.263 in Flash", words("-c:v flv -q:v 2"))
    yield film("y4m.y4m", "YUV4MPEG", words("-f yuv4mpegpipe"), frames=20)


def containers():
    sounded = {"sound": STEREO, "sound_codec": AAC}
    # GStreamer 1.22 only: it finds the duration of a transport stream only from about two seconds on.
    long = {"frames": 70}
    yield film("h264-aac.mp4", "H.264 and AAC", X264, **sounded)
    yield film("h264-faststart.mp4", "index at the start", X264, words("-movflags +faststart"), **sounded)
    yield film("h264-fragmented.mp4", "fragmented MP4", X264, words("-g 10 -movflags +frag_keyframe+empty_moov"),
               seconds=1.28, **sounded)
    yield film("h264-cmaf.mp4", "fragmented as for streaming", X264,
               words("-g 10 -movflags +frag_keyframe+empty_moov+default_base_moof+negative_cts_offsets"))
    yield film("h264.mov", "QuickTime", X264, **sounded)
    yield film("h264.m4v", "M4V", X264, words("-f mp4"), **sounded)
    yield film("h264.mkv", "Matroska", X264, **sounded)
    yield film("h264.avi", "AVI", X264, words("-bf 0"), sound=STEREO, sound_codec=words("-c:a libmp3lame"))
    yield film("h264.ts", "MPEG transport stream", X264, **sounded, **long)
    yield film("h264-short.ts", "MPEG transport stream of 1.2 s", X264, **sounded)
    yield film("h264.m2ts", "Blu-ray transport stream", X264, words("-f mpegts -mpegts_m2ts_mode 1"), sound=STEREO,
               sound_codec=words("-c:a ac3"), **long)
    yield film("h264.flv", "Flash", X264, **sounded)
    yield film("h264.3gp", "3GP", X264, **sounded)
    yield film("h264.264", "a bare H.264 stream, as a camera's tool writes it", X264, words("-f h264"))
    yield film("hevc.ts", "HEVC in a transport stream", X265, **sounded, **long)
    yield film("mpeg2.vob", "DVD", words("-c:v mpeg2video -q:v 2 -f dvd"), sound=STEREO, sound_codec=words("-c:a ac3"))
    yield film("mpeg2-mp2.ts", "MPEG-2 with MP2", words("-c:v mpeg2video -q:v 2"), sound=STEREO,
               sound_codec=words("-c:a mp2"), **long)
    yield film("vp8-vorbis.webm", "VP8 and Vorbis", words("-c:v libvpx -deadline realtime -cpu-used 4 -b:v 2M"),
               sound=STEREO, sound_codec=words("-c:a libvorbis"))
    yield film("vp9-opus.webm", "VP9 and Opus", words("-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -crf 15 -b:v 0"),
               sound=STEREO, sound_codec=words("-c:a libopus"))
    yield film("theora-vorbis.ogv", "Theora and Vorbis", words("-c:v libtheora -q:v 9"), sound=STEREO,
               sound_codec=words("-c:a libvorbis"))
    yield film("wmv2-wma.wmv", "WMV and WMA", words("-c:v wmv2 -q:v 2"), sound=STEREO, sound_codec=words("-c:a wmav2"))


def rates():
    for rate, name, frames in [("1", "1", 3), ("5", "5", 8), ("12", "12", 18), ("15", "15", 20),
                               ("24000/1001", "23.976", 28), ("24", "24", 28), ("30000/1001", "29.97", 36),
                               ("30", "30", 36), ("50", "50", 60), ("60000/1001", "59.94", 62), ("60", "60", 62)]:
        yield film(f"rate-{name}.mp4", f"{name} frames a second", X264, rate=rate, frames=frames)
    yield film("rate-23.976.mkv", "23.976 frames a second, times in milliseconds", X264, rate="24000/1001", frames=28)
    yield film("rate-59.94.webm", "59.94 frames a second, times in milliseconds",
               words("-c:v libvpx -deadline realtime -cpu-used 4 -b:v 2M"), rate="60000/1001", frames=62)
    yield film("rate-29.97.ts", "29.97 frames a second in a transport stream", X264, rate="30000/1001", frames=80)
    yield film("rate-50.ts", "50 frames a second in a transport stream", X264, rate="50", frames=120)


def sizes():
    def bound(size):
        # A picture of a few pixels, magnified a hundred times, depends only on the scaler.
        if min(size) >= 20:
            return {}
        return {"bound": 30, "is_smooth": True} if min(size) < 8 else {"bound": 12}

    for size in [(16, 16), (2, 2), (318, 178), (34, 18)]:
        yield film(f"size-{size[0]}x{size[1]}.mp4", f"{size[0]}x{size[1]}", X264, size=size, frames=15, **bound(size))
    for size in [(321, 181), (1, 1), (3, 5), (161, 91)]:
        yield film(f"size-{size[0]}x{size[1]}.mkv", f"{size[0]}x{size[1]}, 4:2:0", words("-c:v ffv1"), size=size,
                   frames=15, **bound(size))
    yield film("size-321x181.webm", "321x181, VP8", words("-c:v libvpx -deadline realtime -cpu-used 4 -b:v 2M"),
               size=(321, 181), frames=15)
    yield film("size-321x181.ogv", "321x181, Theora", words("-c:v libtheora -q:v 9"), size=(321, 181), frames=15)
    yield film("size-321x181-444.mp4", "321x181, H.264 4:4:4", X264, pixels="yuv444p", size=(321, 181), frames=15)
    yield film("size-portrait.mp4", "180x320", X264, size=(180, 320))
    yield film("size-ribbon.mp4", "1920x158, as on a shelf's edge", X264, size=(1920, 158), frames=15)
    # Forty columns on the screen, and only twenty of their colours if a plane takes 4:2:0.
    yield film("size-column.mp4", "90x1080", X264, size=(90, 1080), frames=15, bound=17)
    yield film("size-4k.mp4", "3840x2160, H.264", X264[:2], words("-preset ultrafast -crf 20"), *tagged("bt709"),
               size=(3840, 2160), frames=12, matrix="bt709")
    yield film("size-4k-hevc.mp4", "4096x2160, HEVC", X265, words("-tag:v hvc1"), *tagged("bt709"), size=(4096, 2160),
               frames=24, matrix="bt709")
    yield film("size-720p.mp4", "1280x720", X264, *tagged("bt709"), size=(1280, 720), frames=15, matrix="bt709")


def aspects():
    yield film("sar-16-15.mp4", "PAL 4:3, 720x576", X264, size=(720, 576), sar="16:15", frames=15)
    yield film("sar-64-45.mp4", "PAL 16:9, 720x576", X264, size=(720, 576), sar="64:45", frames=15)
    yield film("sar-8-9.mkv", "NTSC 4:3, 720x480", X264, size=(720, 480), sar="8:9", frames=15)
    yield film("sar-40-33.mpg", "MPEG-2 that says 16:9, 704x480", words("-c:v mpeg2video -q:v 2 -f vob"),
               size=(704, 480), sar="40:33", shown=(853, 480), frames=15)
    yield film("sar-1-2.mp4", "pixels twice as high as wide", X264, size=(640, 180), sar="1:2")
    yield film("sar-4-3.mp4", "HDV, 480x360 for 640x360", X264, size=(480, 360), sar="4:3", frames=15)
    yield film("sar-2-1.webm", "VP8 whose container says twice as wide",
               words("-c:v libvpx -deadline realtime -cpu-used 4 -b:v 2M"), size=(160, 180), sar="2:1")
    yield film("sar-mpeg4.avi", "MPEG-4 part 2 that says 16:11", words("-c:v mpeg4 -q:v 2"), size=(352, 288),
               sar="16:11", frames=15)


def orientations():
    steps = ["", "hflip", "hflip,vflip", "vflip", "transpose=cclock_flip", "transpose=clock", "transpose=clock_flip",
             "transpose=cclock"]
    names = ["upright", "mirrored", "upside down", "upside down, mirrored", "90 degrees, mirrored", "90 degrees",
             "270 degrees, mirrored", "270 degrees"]
    # ffmpeg 5.1 applies the matrix itself, but not a plain mirror. So all films are turned here, in the same way.
    for number, (step, name) in enumerate(zip(steps, names), 1):
        yield film(f"turned-{number}.mp4", f"display matrix: {name}", X264, patch=patches.display_matrix(number),
                   shown=(180, 320) if number >= 5 else (320, 180),
                   prepare="NOAUTOROTATE" + ("," + step if step else ""))
    yield film("turned-6-anamorphic.mov", "display matrix: 90 degrees, pixels 4:3", X264, size=(240, 180), sar="4:3",
               patch=patches.display_matrix(6), shown=(180, 320), prepare="NOAUTOROTATE,transpose=clock")


def interlaced():
    def fields(size, rate, frames, top_first=True):
        fast = Fraction(rate) * 2
        mode = "interleave_top" if top_first else "interleave_bottom"
        return moving(size, f"{fast.numerator}/{fast.denominator}", frames * 2).replace(
            "format=gbrp", "format=yuv444p") + f",tinterlace=mode={mode},fieldorder={'tff' if top_first else 'bff'}"

    def kind(name, about, size, rate, frames, *codec, top_first=True, pixels="yuv420p", **rest):
        # The conversion has to know that it converts fields.
        sar = rest.pop("sar", None)
        more = f",scale=interl=1,format={pixels}" + (f",setsar={sar.replace(':', '/')}" if sar else "")
        ratio = Fraction(sar.replace(":", "/")) if sar else 1
        rest.setdefault("shown", (round(size[0] * ratio), size[1]))
        return film(name, about, *codec, words("-flags:v +ilme+ildct"), rate=rate, frames=frames, size=size, pixels="",
                    source=fields(size, rate, frames, top_first), more=more,
                    prepare="FIELDS", **rest)

    mpeg2 = words("-c:v mpeg2video -q:v 3")
    yield kind("interlaced-1080i.ts", "1080i, H.264", (1920, 1080), "25", 60, X264[:2],
               words("-preset ultrafast -crf 18 -x264-params tff=1"), *tagged("bt709"))
    yield kind("interlaced-1080i-mpeg2.ts", "1080i, MPEG-2", (1920, 1080), "25", 60, mpeg2, *tagged("bt709"))
    yield kind("interlaced-576i.mpg", "PAL, MPEG-2 program stream", (720, 576), "25", 30, mpeg2, words("-f vob"),
               sar="16:15")
    yield kind("interlaced-480i.mpg", "NTSC, MPEG-2", (720, 480), "30000/1001", 30, mpeg2, words("-f vob"), sar="8:9")
    yield kind("interlaced-576i.mp4", "PAL, H.264 with MBAFF", (720, 576), "25", 30, X264, words("-x264-params tff=1"),
               sar="16:15")
    yield kind("interlaced-pal.dv", "PAL DV", (720, 576), "25", 30, words("-c:v dvvideo"), top_first=False,
               sar="16:15")
    yield kind("interlaced-pal-dv.avi", "PAL DV in AVI", (720, 576), "25", 30, words("-c:v dvvideo"), top_first=False,
               sar="16:15")
    yield kind("interlaced-prores.mov", "ProRes, interlaced", (720, 576), "25", 20,
               words("-c:v prores_ks -profile:v 2"), pixels="yuv422p10le", sar="16:15")
    # A film without field flags and without fields: it must not be deinterlaced.
    yield film("progressive-576p.mpg", "MPEG-2, 576p", words("-c:v mpeg2video -q:v 3 -f vob"), size=(720, 576),
               sar="16:15", frames=15)


def times():
    copy = FFMPEG + words("-i WORK/whole.mp4")

    def from_whole(name, about, *rest, seconds, expect, whole=(), **more):
        """A kind made from a film of 60 frames with a key frame each 10."""
        make = FFMPEG + ("-f", "lavfi", "-i", moving((320, 180), "25", 60) + "," + as_pixels("yuv420p", "bt601")) + \
            X264 + words("-g 10 -sc_threshold 0 -frames:v 60") + tuple(whole) + ("WORK/whole.mp4",)
        flat = tuple(word for part in rest for word in ((part,) if isinstance(part, str) else part))
        more.setdefault("tolerance", 0.041)
        return Kind(name, "film", about, (make, flat), frames=expect, seconds=seconds, **more)

    yield from_whole("edit-start.mp4", "edit list: begins between key frames",
                     FFMPEG + words("-ss 0.68 -i WORK/whole.mp4 -c copy OUT"), seconds=1.72, expect=43)
    yield from_whole("edit-delay.mp4", "edit list: half a second of nothing first",
                     FFMPEG + words("-itsoffset 0.52 -i WORK/whole.mp4 -c copy -t 1.8 OUT"), seconds=1.88, expect=34)
    yield from_whole("edit-none.mp4", "B-frames and no edit list",
                     copy + words("-c copy -t 1.2 -use_editlist 0 OUT"), seconds=1.28, expect=32)
    yield from_whole("start-late.mkv", "times that begin at an hour",
                     copy + words("-c copy -t 1.2 -output_ts_offset 3600 OUT"), seconds=3601.28, expect=32)
    yield from_whole("start-late.ts", "times that begin at a day",
                     copy + words("-c copy -output_ts_offset 80000 OUT"), seconds=2.4, expect=60)
    yield from_whole("wrap.ts", "times that go over the end of their 33 bits",
                     copy + words("-c copy -output_ts_offset 95442.5 OUT"), seconds=2.4, expect=60)
    for suffix, codec in [("mp4", X264), ("mkv", X264),
                          ("webm", words("-c:v libvpx -deadline realtime -cpu-used 4 -b:v 2M"))]:
        # 50 frames a second for 20 frames, then every fourth frame: 0.4 s and 10 frames of 0.08 s.
        graph = moving((320, 180), "50", 60) + ",select='lt(n,20)+not(mod(n,4))'"
        yield Kind(f"vfr.{suffix}", "film", "rate changes from 50 to 12.5 in the middle",
                   (FFMPEG + ("-f", "lavfi", "-i", graph + "," + as_pixels("yuv420p", "bt601")) + codec
                    + words("-fps_mode vfr OUT"),), frames=30, seconds=1.2, rate=Fraction(25), tolerance=0.081)
    yield Kind("screen-recording.mp4", "film", "one frame stays for a second and a half",
               (FFMPEG + ("-f", "lavfi", "-i", moving((320, 180), "25", 60) + ",select='lt(n,10)+gt(n,48)',"
                          + as_pixels("yuv420p", "bt601")) + X264 + words("-fps_mode vfr -frames:v 21 OUT"),),
               frames=21, seconds=2.4, tolerance=0.041)
    yield film("one-frame.mp4", "a film of one frame", X264, frames=1, rate="1", tolerance=0.05)


def sounds():
    x264 = X264
    tones = "|".join(f"0.1*sin({frequency}*2*PI*t)" for frequency in (440, 550, 660, 80, 770, 880))
    five = f"aevalsrc={tones}:c=5.1:s=48000:d={{}}"
    yield film("sound-mono.mp4", "mono at 22,050 Hz", x264, sound="sine=frequency=440:sample_rate=22050",
               sound_codec=AAC + words("-ac 1"))
    yield film("sound-5.1-aac.mp4", "AAC 5.1", x264, sound=five, sound_codec=words("-c:a aac"))
    yield film("sound-5.1-ac3.ts", "AC-3 5.1", x264, sound=five, sound_codec=words("-c:a ac3"), frames=70)
    yield film("sound-5.1-eac3.mkv", "E-AC-3 5.1", x264, sound=five, sound_codec=words("-c:a eac3"))
    yield film("sound-5.1-dts.mkv", "DTS 5.1", x264, sound=five, sound_codec=words("-c:a dca -strict -2"))
    yield film("sound-5.1-flac.mkv", "FLAC 5.1", x264, sound=five, sound_codec=words("-c:a flac"))
    yield film("sound-pcm24.mov", "PCM, 24 bits at 96 kHz", x264, sound="sine=frequency=440:sample_rate=96000",
               sound_codec=words("-c:a pcm_s24le"))
    yield film("sound-mp3.mp4", "MP3 in MP4", x264, sound=STEREO, sound_codec=words("-c:a libmp3lame"))
    yield film("sound-longer.mp4", "sound for 0.8 s after the picture", x264, sound=STEREO, sound_codec=AAC,
               sound_seconds=2.0)
    yield film("sound-shorter.mp4", "sound that ends 0.7 s before the picture", x264, sound=STEREO, sound_codec=AAC,
               sound_seconds=0.5)
    yield film("sound-two.mkv", "two languages", x264, words("-map 0:v -map 1:a -map 1:a"), sound=STEREO,
               sound_codec=words("-c:a libvorbis -metadata:s:a:0 language=eng -metadata:s:a:1 language=deu"))
    yield film("sound-empty.mp4", "a sound track of silence", x264, sound="anullsrc=r=44100:cl=stereo:d={}",
               sound_codec=AAC)


def colours():
    def kind(name, about, matrix, *codec, full=False, size=(320, 180), pixels="yuv420p", tags=True, **rest):
        flags = tagged(matrix, full=full) if tags else ()
        return film(name, about, *codec, *flags, matrix=matrix, full=full, size=size, pixels=pixels,
                    bound=COLOUR_BOUND, prepare=f"in_color_matrix={matrix}",
                    **rest)

    yield kind("colour-601.mp4", "BT.601", "bt601", X264)
    yield kind("colour-709.mp4", "BT.709 in a small picture", "bt709", X264)
    yield kind("colour-709-full.mp4", "BT.709, full range", "bt709", X264, full=True)
    yield kind("colour-601-full.mkv", "BT.601, full range", "bt601", X264, full=True)
    yield kind("colour-601-720p.mp4", "BT.601 in a large picture", "bt601", X264, size=(1280, 720), frames=15)
    yield kind("colour-none-720p.mp4", "says nothing, large: BT.709", "bt709", X264, size=(1280, 720), frames=15,
               tags=False)
    yield kind("colour-none-576p.mp4", "says nothing, small: BT.601", "bt601", X264, size=(720, 576), frames=15,
               tags=False)
    yield kind("colour-709-vp9.webm", "BT.709, VP9", "bt709",
               words("-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -crf 12 -b:v 0"))
    yield kind("colour-2020.mp4", "BT.2020, 10 bits, SDR", "bt2020", X265, words("-tag:v hvc1"),
               pixels="yuv420p10le")

    # HDR: the picture is converted to light, to the wide gamut and to the curve; 203 cd/m2 is white (ITU-R BT.2408).
    for name, curve, codec, pixels in [
            ("hdr-pq.mp4", "smpte2084", X265 + words("-tag:v hvc1"), "yuv420p10le"),
            ("hdr-hlg.mp4", "arib-std-b67", X265 + words("-tag:v hvc1"), "yuv420p10le"),
            ("hdr-pq.webm", "smpte2084", words("-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -crf 12 -b:v 0"),
             "yuv420p10le")]:
        apply = ("setparams=color_primaries=bt709:color_trc=bt709:colorspace=gbr:range=pc,"
                "zscale=t=linear:npl=203,format=gbrpf32le,"
                f"zscale=p=bt2020:t={curve}:m=bt2020nc:r=tv:npl=203,format={pixels}")
        yield film(name, {"s": "PQ", "a": "HLG"}[curve[0]] + " (HDR), 10 bits", codec,
                   tagged("bt2020", "bt2020", curve), pixels="", apply=apply,
                   prepare="in_color_matrix=bt2020", hdr={"s": "pq", "a": "hlg"}[curve[0]])


def all_films():
    for group in (codecs, containers, rates, sizes, aspects, orientations, interlaced, times, sounds, colours):
        yield from group()
