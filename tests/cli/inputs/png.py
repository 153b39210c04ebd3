# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# PNG files without a library. `png.py make FILE WIDTH HEIGHT BITS` draws a gradient of red, green and blue with BITS bits for
# each channel; `png.py show FILE` prints the sizes and the pixels.
import struct
import sys
import zlib

CHANNELS = {0: 1, 2: 3, 4: 2, 6: 4}


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def make(path, width, height, bits):
    most = 2**bits - 1
    rows = bytearray()
    for y in range(height):
        rows.append(0)
        for x in range(width):
            for value in (x * most // (width - 1), y * most // (height - 1), most // 5):
                rows += value.to_bytes(bits // 8, "big")
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, bits, 2, 0, 0, 0)))
        file.write(chunk(b"IDAT", zlib.compress(bytes(rows))) + chunk(b"IEND", b""))


def paeth(left, above, corner):
    guess = left + above - corner
    return min((left, above, corner), key=lambda value: abs(guess - value))


def show(path):
    data = open(path, "rb").read()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    at, packed = 8, b""
    while at < len(data):
        size, name = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + size]
        assert chunk(name, body) == data[at : at + 12 + size], "checksum"
        if name == b"IHDR":
            width, height, bits, kind = struct.unpack(">IIBB", body[:10])
        packed += body if name == b"IDAT" else b""
        at += 12 + size
    assert bits == 8
    channels = CHANNELS[kind]
    row = width * channels
    raw = zlib.decompress(packed)
    before = bytearray(row)
    print(f"{width} x {height}, {channels} channels")
    for y in range(height):
        how, line = raw[y * (row + 1)], bytearray(raw[y * (row + 1) + 1 : (y + 1) * (row + 1)])
        for i in range(row):
            left = line[i - channels] if i >= channels else 0
            corner = before[i - channels] if i >= channels else 0
            line[i] = (line[i] + (0, left, before[i], (left + before[i]) // 2, paeth(left, before[i], corner))[how]) % 256
        print(" ".join(",".join(str(value) for value in line[i : i + channels]) for i in range(0, row, channels)))
        before = line


if sys.argv[1] == "make":
    make(sys.argv[2], *(int(argument) for argument in sys.argv[3:]))
else:
    show(sys.argv[2])
