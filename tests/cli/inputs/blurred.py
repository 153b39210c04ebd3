# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A blur by depth against a loop: `blurred.py PICTURE DEPTH BLURRED FOCUS RADIUS`.
import os
import subprocess
import sys

PNG = os.path.join(os.path.dirname(__file__), "png.py")


def pixels_of(path):
    lines = subprocess.run([sys.executable, PNG, "show", path], check=True, capture_output=True, text=True).stdout.splitlines()
    return [[tuple(map(int, pixel.split(","))) for pixel in line.split(" ")] for line in lines[1:]]


def mean(picture, y, x, channel, radius):
    rows = picture[max(0, y - radius) : y + radius + 1]
    box = [pixel[channel] for row in rows for pixel in row[max(0, x - radius) : x + radius + 1]]
    return sum(box) / len(box)


picture, depth, blurred = map(pixels_of, sys.argv[1:4])
focus, most = map(float, sys.argv[4:])
assert len(picture) == len(blurred) and len(picture[0]) == len(blurred[0])
changed = 0
for y, row in enumerate(blurred):
    for x, pixel in enumerate(row):
        radius = most * abs(depth[y][x][0] / 255 - focus)
        whole = int(radius)
        for channel, value in enumerate(pixel):
            expected = mean(picture, y, x, channel, whole)
            expected += (radius - whole) * (mean(picture, y, x, channel, whole + 1) - expected)
            assert abs(value - expected) <= 0.51, (y, x, channel, value, expected)  # rounded, and radii are floats
            changed += value != picture[y][x][channel]
assert changed > len(picture) * len(picture[0]), changed
print("as the loop has it")
