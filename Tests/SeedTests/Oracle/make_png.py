"""Draws a square picture: make_png.py FILE SIDE. Only Python's standard library is needed."""

import struct
import sys
import zlib


def chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def main(path: str, side: int) -> None:
    rows = b"".join(
        b"\0" + b"".join(bytes((40 * x % 256, 60 * y % 256, 128)) for x in range(side)) for y in range(side)
    )
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        file.write(chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


main(sys.argv[1], int(sys.argv[2]))
