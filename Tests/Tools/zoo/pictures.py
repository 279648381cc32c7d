"""Pictures, animations, and files with only sound."""

from . import patches
from .kinds import AS_SHOWN_ON_BLACK, FFMPEG, film, moving, picture, sound, source_picture, words

PNG = FFMPEG + ("-f", "lavfi", "-i", moving((320, 240), 25, 1, with_number=False), "-frames:v", "1", "WORK/source.png")
# Transparent in stripes: a quarter of the picture fully, a quarter half.
SEE_THROUGH = moving((320, 240), 25, 1, with_number=False) + (
    ",format=gbrap,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='if(lt(X,80),0,if(lt(X,160),128,255))'")


def convert(*arguments):
    return ("convert",) + arguments


def see_through(name, about, *codec, pixels="rgba", **rest):
    flat = tuple(word for part in codec for word in ((part,) if isinstance(part, str) else part))
    command = FFMPEG + ("-f", "lavfi", "-i", SEE_THROUGH + f",format={pixels}", "-frames:v", "1") + flat + ("OUT",)
    rest.setdefault("reference", ("-f", "lavfi", "-i", SEE_THROUGH))
    return picture(name, about, commands=(command,), prepare=AS_SHOWN_ON_BLACK, **rest)


def jpegs():
    jpeg = words("-c:v mjpeg -q:v 2")
    yield picture("jpeg.jpg", "JPEG", jpeg, pixels="yuvj420p")
    yield picture("jpeg-444.jpg", "JPEG 4:4:4", jpeg, pixels="yuvj444p")
    yield picture("jpeg-422.jpeg", "JPEG 4:2:2", jpeg, pixels="yuvj422p")
    # FFmpeg's encoder can't write grey JPEGs.
    yield picture("jpeg-grey.jpg", "JPEG, grey",
                  commands=(PNG, convert("WORK/source.png", "-colorspace", "Gray", "-quality", "95", "OUT")))
    yield picture("jpeg-progressive.jpg", "JPEG, progressive",
                  commands=(PNG, convert("WORK/source.png", "-interlace", "JPEG", "-quality", "95", "OUT")))
    yield picture("jpeg-cmyk.jpg", "JPEG, CMYK, as printers send it", reference=source_picture(),
                  commands=(PNG, convert("WORK/source.png", "-colorspace", "CMYK", "-quality", "95", "OUT")))
    steps = ["", "hflip", "hflip,vflip", "vflip", "transpose=cclock_flip", "transpose=clock", "transpose=clock_flip",
             "transpose=cclock"]
    for number, step in enumerate(steps, 1):
        yield picture(f"jpeg-exif-{number}.jpg", f"JPEG, EXIF orientation {number}", jpeg, pixels="yuvj420p",
                      patch=patches.exif_orientation(number), shown=(240, 320) if number >= 5 else (320, 240),
                      reference=source_picture(), prepare=step)
    yield picture("jpeg-12-megapixels.jpg", "JPEG, 4000x3000", jpeg, pixels="yuvj420p", size=(4000, 3000))
    yield picture("jpeg-odd.jpg", "JPEG, 321x241", jpeg, pixels="yuvj420p", size=(321, 241))


def pngs():
    png = words("-c:v png")
    for name, about, pixels in [("png", "PNG", "rgb24"), ("png-16", "PNG, 16 bits", "rgb48be"),
                                ("png-palette", "PNG, palette", "pal8"), ("png-grey", "PNG, grey", "gray"),
                                ("png-grey-16", "PNG, grey, 16 bits", "gray16be"),
                                ("png-1-bit", "PNG, black and white", "monob")]:
        # If the format itself reduces the colours, the file is its own reference; dots are as large as the screen's.
        size = (640, 480) if pixels == "monob" else (320, 240)
        yield picture(f"{name}.png", about, png, pixels=pixels, size=size)
    yield see_through("png-alpha.png", "PNG, transparent", png)
    yield see_through("png-grey-alpha.png", "PNG, grey, transparent", png, pixels="ya8", reference=())
    yield picture("png-interlaced.png", "PNG, interlaced",
                  commands=(PNG, convert("WORK/source.png", "-interlace", "PNG", "OUT")))
    yield picture("png-1x1.png", "PNG, 1x1", png, size=(1, 1))
    yield picture("png-4k.png", "PNG, 3840x2160", png, size=(3840, 2160))
    yield picture("png-ribbon.png", "PNG, 4000x50", png, size=(4000, 50))


def others():
    webp = words("-c:v libwebp -quality 95")
    yield picture("webp.webp", "WebP", webp)
    yield picture("webp-lossless.webp", "WebP, lossless", words("-c:v libwebp -lossless 1"))
    yield see_through("webp-alpha.webp", "WebP, transparent", words("-c:v libwebp -lossless 1"), pixels="bgra")
    yield picture("bmp-24.bmp", "BMP", words("-c:v bmp"), pixels="bgr24")
    yield picture("bmp-8.bmp", "BMP, palette", words("-c:v bmp"), pixels="pal8")
    yield picture("bmp-16.bmp", "BMP, 5:6:5", words("-c:v bmp"), pixels="rgb565le")
    # As large as the screen, because there is no right way to scale its dots.
    yield picture("bmp-1.bmp", "BMP, black and white", words("-c:v bmp"), pixels="monob", size=(640, 480))
    for name, about, codec, pixels in [
            ("tiff.tif", "TIFF, packed", "", "rgb24"),
            ("tiff-raw.tif", "TIFF, unpacked", "-compression_algo raw", "rgb24"),
            ("tiff-lzw.tiff", "TIFF, LZW", "-compression_algo lzw", "rgb24"),
            ("tiff-deflate.tiff", "TIFF, deflate", "-compression_algo deflate", "rgb24"),
            ("tiff-16.tif", "TIFF, 16 bits", "-compression_algo lzw", "rgb48le"),
            ("tiff-grey.tif", "TIFF, grey", "-compression_algo lzw", "gray")]:
        yield picture(name, about, words(f"-c:v tiff {codec}"), pixels=pixels)
    yield picture("tiff-jpeg.tif", "TIFF with JPEG in it", reference=source_picture(),
                  commands=(PNG, convert("WORK/source.png", "-compress", "jpeg", "-quality", "95", "OUT")))
    yield picture("tiff-cmyk.tif", "TIFF, CMYK", reference=source_picture(),
                  commands=(PNG, convert("WORK/source.png", "-colorspace", "CMYK", "-compress", "lzw", "OUT")))
    yield picture("gif.gif", "GIF", words("-c:v gif"), pixels="bgr8")
    yield picture("heic.heic", "HEIC, as telephones make it", reference=source_picture(),
                  commands=(PNG, ("heif-enc", "-q", "95", "-o", "OUT", "WORK/source.png")), may_refuse=True)
    yield picture("avif.avif", "AVIF", reference=source_picture(),
                  commands=(PNG, ("avifenc", "--min", "8", "--max", "12", "--speed", "9", "WORK/source.png", "OUT")),
                  may_refuse=True)
    yield picture("jxl.jxl", "JPEG XL", words("-c:v libjxl -distance 1"), pixels="rgb24",
                  reference=source_picture())
    yield picture("jpeg2000.jp2", "JPEG 2000", words("-c:v jpeg2000 -q:v 1"), pixels="rgb24", may_refuse=True)
    yield picture("ppm.ppm", "PPM", words("-c:v ppm"), pixels="rgb24", may_refuse=True)
    yield picture("tga.tga", "Targa", words("-c:v targa"), pixels="bgr24")
    for name, about, text, shown in [
            ("svg.svg", "SVG", '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="240">'
             '<rect width="320" height="240" fill="#204080"/><circle cx="100" cy="120" r="70" fill="#ffc24b"/>'
             '<rect x="200" y="60" width="90" height="120" fill="#c03030"/></svg>', (320, 240)),
            ("svg-viewbox.svg", "SVG that has no size, only a shape",
             '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 90"><rect width="160" height="90" '
             'fill="#206040"/><circle cx="50" cy="45" r="30" fill="#f0f0f0"/></svg>', (640, 360))]:
        # ffmpeg draws an SVG at the size that the file states; the reference is this drawing, scaled.
        yield picture(name, about, commands=(("python3", "-c", "import sys;open(sys.argv[1],'w').write(sys.argv[2])",
                                              "OUT", text),), size=shown)


def animations():
    def kind(name, about, *codec, pixels, ends, frames=12, rate=10, plays=1, source=None, **rest):
        """`ends`: the file states how often it plays; else it plays for the item's duration."""
        graph = moving((320, 180), rate, frames) + f",format={pixels}" if source is None else source
        made = film(name, about, *codec, rate=str(rate), frames=frames, pixels="", source=graph,
                    expect=frames * plays if ends else None, seconds=frames * plays / rate, **rest)
        return made.__class__(**{**made.__dict__, "group": "animation", "frames": frames * plays if ends else None,
                                 "seconds": frames * plays / rate if ends else None})

    gif = words("-c:v gif")
    lossless = ("-f", "lavfi", "-i", moving((320, 180), 10, 12))
    yield kind("animation-forever.gif", "GIF without an end", gif, words("-loop 0"), pixels="bgr8", ends=False)
    yield kind("animation-once.gif", "GIF, once", gif, words("-loop -1"), pixels="bgr8", ends=True)
    yield kind("animation-three.gif", "GIF, three times", gif, words("-loop 2"), pixels="bgr8", ends=True, plays=3,
               frames=8)
    yield kind("animation-forever.apng", "APNG without an end", words("-f apng -plays 0"), pixels="rgb24", ends=False)
    yield kind("animation-once.apng", "APNG, once", words("-f apng -plays 1"), pixels="rgb24", ends=True)
    yield kind("animation-twice.png", "APNG, twice", words("-f apng -plays 2"), pixels="rgb24", ends=True, plays=2,
               frames=8)
    webp = words("-c:v libwebp_anim -quality 95")
    yield kind("animation-forever.webp", "WebP without an end", webp, words("-loop 0"), pixels="bgra", ends=False,
               reference=lossless)
    yield kind("animation-once.webp", "WebP, once", webp, words("-loop 1"), pixels="bgra", ends=True,
               reference=lossless)


def sounds():
    tags = words("-metadata title=Harbour -metadata artist=Nobody")
    yield sound("sound.mp3", "MP3", words("-c:a libmp3lame"), tags)
    yield sound("sound-vbr.mp3", "MP3, variable rate", words("-c:a libmp3lame -q:a 4"))
    cover = ("-f", "lavfi", "-i", moving((160, 160), 25, 1, with_number=False), "-map", "0:a", "-map", "1:v",
             "-frames:v", "1", "-c:v", "mjpeg", "-disposition:v", "attached_pic")
    yield sound("sound-cover.mp3", "MP3 with a cover", cover, words("-c:a libmp3lame -id3v2_version 3"), tags)
    yield sound("sound.flac", "FLAC", words("-c:a flac"), tags)
    yield sound("sound.ogg", "Ogg Vorbis", words("-c:a libvorbis"), tags)
    yield sound("sound.opus", "Opus", words("-c:a libopus"), tags)
    yield sound("sound.m4a", "AAC in M4A", words("-c:a aac"), tags)
    yield sound("sound-cover.m4a", "AAC with a cover", cover, words("-c:a aac -f ipod"), tags)
    yield sound("sound-alac.m4a", "ALAC in M4A", words("-c:a alac"))
    yield sound("sound.wav", "WAV", words("-c:a pcm_s16le"))
    yield sound("sound-24.wav", "WAV, 24 bits, 96 kHz", words("-c:a pcm_s24le -ar 96000"))
    yield sound("sound-float.wav", "WAV, floating point", words("-c:a pcm_f32le"))
    yield sound("sound-8k.wav", "WAV, mu-law at 8 kHz", words("-c:a pcm_mulaw -ar 8000"))
    yield sound("sound.aiff", "AIFF", words("-c:a pcm_s16be"))
    yield sound("sound.aac", "AAC, bare", words("-c:a aac -f adts"))
    yield sound("sound.ac3", "AC-3, bare", words("-c:a ac3"))
    yield sound("sound.mp2", "MP2", words("-c:a mp2"))
    yield sound("sound.wma", "Windows Media Audio", words("-c:a wmav2"), tags)
    yield sound("sound.mka", "Matroska", words("-c:a libopus"))
    yield sound("sound.wv", "WavPack", words("-c:a wavpack"))
    yield sound("sound.au", "Sun audio", words("-c:a pcm_s16be"))
    yield sound("sound.caf", "Core Audio Format", words("-c:a pcm_s16le"))
    yield sound("sound.tta", "True Audio", words("-c:a tta"), may_refuse=True)


def all_pictures():
    for group in (jpegs, pngs, others, animations, sounds):
        yield from group()
