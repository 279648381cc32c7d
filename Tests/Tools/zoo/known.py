"""What isn't right in ours, each with its reason. A kind that is right again has to leave this list by hand."""

KNOWN = {
    "h264.m2ts": "no duration is in a transport stream; GStreamer's estimate from its clock is 0.1 s too long.",
    "sar-40-33.mpg": "no duration is in a program stream; GStreamer's estimate from its clock is 0.08 s too short.",
    "raw-rgb.avi": "GStreamer 1.22's AVI demuxer gives no frame of uncompressed RGB; refused after ten seconds.",
    "utvideo.avi": "GStreamer's libav plugin has no Ut Video.",
    "jpeg2000.mov": "GStreamer 1.22 doesn't take FFmpeg's JPEG 2000 in QuickTime.",
    "dnxhd.mov": "FFmpeg's decoder doesn't say that its range is limited, and GStreamer's converter takes it for full: "
                 "the contrast is too high.",
    "dnxhr.mxf": "as dnxhd.mov.",
}

# Damaged files that a decoder doesn't survive, or doesn't come back from.
KNOWN_DAMAGE = {
}
