# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# .npy files without a library: save() and load() of lists of numbers, and run() of the command.
import ast
import os
import struct
import subprocess

CODES = {"i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I", "i8": "q", "u8": "Q", "f2": "e", "f4": "f", "f8": "d", "b1": "?"}


def header(descr, shape, fortran=False, version=1):
    text = "{'descr': %r, 'fortran_order': %r, 'shape': %r, }" % (descr, fortran, tuple(shape))
    start = 10 if version == 1 else 12
    text += " " * (-(start + len(text) + 1) % 64) + "\n"
    length = struct.pack("<H" if version == 1 else "<I", len(text))
    return b"\x93NUMPY" + bytes([version, 0]) + length + text.encode()


def pack(descr, values):
    return struct.pack((">" if descr[0] == ">" else "<") + str(len(values)) + CODES[descr[1:]], *values)


# `values` are in memory order.
def save(path, descr, values, shape=None, fortran=False, version=1):
    with open(path, "wb") as file:
        file.write(header(descr, [len(values)] if shape is None else shape, fortran, version) + pack(descr, values))


def load(path):
    data = open(path, "rb").read()
    assert data[:8] == b"\x93NUMPY\x01\x00", data[:8]
    (length,) = struct.unpack("<H", data[8:10])
    assert (10 + length) % 64 == 0, "the data is not aligned"
    about = ast.literal_eval(data[10 : 10 + length].decode())
    descr = about["descr"]
    values = data[10 + length :]
    count = len(values) // int(descr[2:])
    expected = 1
    for extent in about["shape"]:
        expected *= extent
    assert expected == count, (about, count)
    return descr, about["shape"], about["fortran_order"], list(struct.unpack((">" if descr[0] == ">" else "<") + str(count) + CODES[descr[1:]], values))


def run(*arguments, fails=False, **options):
    done = subprocess.run(["upsweep", *map(str, arguments)], capture_output=True, text=True, errors="replace", **options)
    assert (done.returncode != 0) == fails, (arguments, done.returncode, done.stderr)
    return done.stderr if fails else done.stdout


# The folder must contain exactly `names`: no result, and no part of a file.
def expect_files(folder, names):
    assert sorted(os.listdir(folder)) == sorted(names), os.listdir(folder)
