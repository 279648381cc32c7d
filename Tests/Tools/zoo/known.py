"""What isn't right in ours, each with its reason. A kind that is right again has to leave this list by hand."""

KNOWN = {
    "h264.m2ts": "no duration is in a transport stream; GStreamer's estimate from its clock is 0.1 s too long.",
    "sar-40-33.mpg": "no duration is in a program stream; GStreamer's estimate from its clock is 0.08 s too short.",
    "utvideo.avi": "GStreamer 1.22's demuxers know no Ut Video and give its decoder neither size nor tables.",
    "sound.caf": "GStreamer 1.22 has nothing that opens Core Audio files.",
}

# Damaged files that a decoder doesn't survive, or doesn't come back from.
KNOWN_DAMAGE = {
}
