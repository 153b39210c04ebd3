# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Blurs of random pictures with transparency against fractions: `alpha.py FOLDER SEED ROUNDS`.
import fractions
import math
import os
import random
import struct
import subprocess
import sys
import zlib

PNG = os.path.join(os.path.dirname(__file__), "png.py")
KINDS = {2: 4, 4: 6}  # channels and PNG's types of colour


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def save(path, picture, bits):
    height, width, channels = len(picture), len(picture[0]), len(picture[0][0])
    rows = b"".join(b"\0" + b"".join(value.to_bytes(bits // 8, "big") for pixel in row for value in pixel) for row in picture)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, bits, KINDS[channels], 0, 0, 0)))
        file.write(chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def load(path):
    lines = subprocess.run([sys.executable, PNG, "show", path], check=True, capture_output=True, text=True).stdout.splitlines()
    return [[tuple(map(int, pixel.split(","))) for pixel in line.split(" ")] for line in lines[1:]]


def rounded(value):
    return math.floor(value + fractions.Fraction(1, 2))


def expected_pixel(picture, y, x, radius, bits):
    box = [pixel for row in picture[max(0, y - radius) : y + radius + 1] for pixel in row[max(0, x - radius) : x + radius + 1]]
    opacity = sum(pixel[-1] for pixel in box)
    colours = [rounded(fractions.Fraction(sum(pixel[c] * pixel[-1] for pixel in box), opacity)) if opacity else 0
               for c in range(len(box[0]) - 1)]
    values = colours + [rounded(fractions.Fraction(opacity, len(box)))]
    return tuple(values if bits == 8 else [(value * 255 + 32767) // 65535 for value in values])


folder, source, rounds = sys.argv[1], random.Random(int(sys.argv[2])), int(sys.argv[3])
os.makedirs(folder, exist_ok=True)
place = lambda name: os.path.join(folder, name)
for _ in range(rounds):
    bits, channels = source.choice([8, 16]), source.choice([2, 4])
    width, height, radius = source.randint(1, 12), source.randint(1, 12), source.randint(0, 4)
    most = (1 << bits) - 1
    picture = [[tuple([source.randint(0, most) for _ in range(channels - 1)] + [source.choice([0, 0, 1, most, source.randint(0, most)])])
                for _ in range(width)] for _ in range(height)]
    save(place("a.png"), picture, bits)
    subprocess.run(["upsweep", "blur", place("a.png"), "--radius", str(radius), "--out", place("b.png"), "-q"], check=True)
    expected = [[expected_pixel(picture, y, x, radius, bits) for x in range(width)] for y in range(height)]
    assert load(place("b.png")) == expected, (bits, channels, radius, picture, load(place("b.png")), expected)
print("weighted by alpha")
