"""Changes in the bytes of a finished file, for features that ffmpeg 5.1 can't write."""

import struct

# The matrix of a turned track, for the eight orientations of EXIF: (a, b, c, d), without its offsets.
MATRICES = {1: (1, 0, 0, 1), 2: (-1, 0, 0, 1), 3: (-1, 0, 0, -1), 4: (1, 0, 0, -1),
            5: (0, 1, 1, 0), 6: (0, 1, -1, 0), 7: (0, -1, -1, 0), 8: (0, -1, 1, 0)}


def display_matrix(number):
    """Returns a function that writes the orientation into the first track header of an MP4."""
    def display_matrix_patch(data):
        place = data.index(b"tkhd") + 4
        version = data[place]
        # Skips version and flags, times and identity, 8 reserved bytes, layer, group, volume and 2 reserved bytes.
        place += 4 + (32 if version else 20) + 16
        a, b, c, d = MATRICES[number]
        width, height = (part >> 16 for part in struct.unpack_from(">II", data, place + 36))
        # The offset moves a picture that the matrix turned out of the page back into it.
        x = (width if a < 0 else 0) + (height if c < 0 else 0)
        y = (width if b < 0 else 0) + (height if d < 0 else 0)
        matrix = [a << 16, b << 16, 0, c << 16, d << 16, 0, x << 16, y << 16, 1 << 30]
        return data[:place] + struct.pack(">9i", *matrix) + data[place + 36:]
    display_matrix_patch.__name__ = f"display matrix of EXIF orientation {number}"
    return display_matrix_patch


def exif_orientation(number):
    """Returns a function that puts an EXIF block with the orientation into a JPEG."""
    def exif_patch(data):
        tags = struct.pack("<HHHII", 1, 0x0112, 3, 1, number) + bytes(4)
        block = b"Exif\0\0II*\0" + struct.pack("<I", 8) + tags
        return data[:2] + b"\xff\xe1" + struct.pack(">H", len(block) + 2) + block + data[2:]
    exif_patch.__name__ = f"EXIF orientation {number}"
    return exif_patch
