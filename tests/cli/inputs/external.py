# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Verbs on files that are larger than their memory: results beside Python's sorts, and the largest memory of each process.
# `external.py FOLDER SEED`.
import array
import math
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time

from arrays import expect_files, header, run

folder, source = sys.argv[1], random.Random(int(sys.argv[2]))
shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)
place = lambda name: os.path.join(folder, name)
MEMORY = 64 << 20
IS_SANITIZED = os.environ.get("ASAN_OPTIONS") is not None  # whose memory is several times as large


# A process inherits the largest memory of the process that starts it, so another one than this starts the command.
STARTER = "import os, sys; _, status, usage = os.wait4(os.spawnvp(os.P_NOWAIT, sys.argv[1], sys.argv[1:]), 0); print(status, usage.ru_maxrss)"


# Runs the command with the limit, and compares its largest resident memory.
def limited(*arguments, fails=False):
    command = ["upsweep", *map(str, arguments), "--memory", str(MEMORY)]
    done = subprocess.run([sys.executable, "-S", "-c", STARTER, *command], capture_output=True, text=True, check=True)
    status, kibibytes = map(int, done.stdout.split()[-2:])
    assert (status != 0) == fails, (arguments, done.stderr)
    assert IS_SANITIZED or kibibytes << 10 <= MEMORY, (arguments, kibibytes)
    return done.stderr


def save(name, code, numbers):
    with open(place(name), "wb") as file:
        file.write(header(code, (len(numbers),)) + numbers.tobytes())


def load(name, kind):
    numbers = array.array(kind)
    data = open(place(name), "rb").read()
    start = 10 + int.from_bytes(data[8:10], "little")
    numbers.frombytes(data[start:])
    return numbers


# Keys and indices, ascending and descending.
COUNT = 2_500_000
numbers = array.array("q", source.randbytes(8 * COUNT))
save("x.npy", "<i8", numbers)
limited("sort", place("x.npy"), "--out", place("y.npy"))
assert load("y.npy", "q").tolist() == sorted(numbers)
limited("sort", place("y.npy"), "--out", place("y.npy"), "--descending")  # the output is the input
assert load("y.npy", "q").tolist() == sorted(numbers, reverse=True)
few = array.array("h", [source.randint(-9, 9) for _ in range(COUNT)])
save("few.npy", "<i2", few)
limited("sort", place("few.npy"), "--out", place("places.npy"), "--arg")
assert load("places.npy", "q").tolist() == sorted(range(COUNT), key=few.__getitem__)
limited("sort", place("x.npy"), "--by", place("few.npy"), "--out", place("z.npy"), "--descending")
assert load("z.npy", "q").tolist() == [numbers[i] for i in sorted(range(COUNT), key=lambda i: -few[i])]

# The bytes of NaNs and zeros, as a sort in memory orders them.
reals = array.array("d", [source.choice([0.0, -0.0, math.nan, -math.inf, source.random()]) for _ in range(1 << 18)]) * 68
save("reals.npy", "<f8", reals)
limited("sort", place("reals.npy"), "--out", place("y.npy"))
run("sort", place("reals.npy"), "--out", place("z.npy"), "--memory", "4G", "-q")
assert open(place("y.npy"), "rb").read() == open(place("z.npy"), "rb").read()

# Verbs that read a mapped file in steps.
for arguments in (["scan"], ["scan", "--backward"], ["reduce", "--op", "max"], ["select", "--where", "x > 0.5"], ["unique"],
                  ["histogram", "--range", "0,1"], ["scan", "--by-key", place("reals.npy")]):
    limited(arguments[0], place("reals.npy"), *arguments[1:], "--out", place("y.npy"))
limited("merge", place("z.npy"), place("z.npy"), "--out", place("y.npy"))
assert os.path.getsize(place("y.npy")) == 128 + 2 * 8 * len(reals)
for name in ("reals.npy", "y.npy", "z.npy", "places.npy"):
    os.remove(place(name))

# Tables: numbers and texts, with quoted separators and ends of lines, and a number late in the file that makes a column real.
ROWS = 400_000
rows = []
for i in range(ROWS):
    text = source.choice(["north", "a,b", 'say "hi"', "two\nlines", "x", "ä€", "north west and more"]) + str(i % 7)
    rows.append((source.randint(-500, 500), text, i))


def row_text(row):
    quoted = row[1].replace('"', '""')
    return f'{row[0]},"{quoted}",{row[2]}\n' if any(c in row[1] for c in ',"\n') else f"{row[0]},{row[1]},{row[2]}\n"


def write_table(rows):
    with open(place("table.csv"), "w", newline="") as file:
        file.write("number,text,place\n" + "".join(map(row_text, rows)))


def expect_table(rows):
    found = open(place("out.csv"), newline="").read()
    assert found == "number,text,place\n" + "".join(map(row_text, rows)), found[:200]


write_table(rows)
for column, key in (("number", lambda row: row[0]), ("text", lambda row: row[1].encode())):
    limited("sort", place("table.csv"), "--column", column, "--out", place("out.csv"))
    expect_table(sorted(rows, key=key))
limited("sort", place("table.csv"), "--column", "text", "--descending", "--out", place("out.csv"))
expect_table(sorted(rows, key=lambda row: tuple(255 - byte for byte in row[1].encode()) + (256,)))
rows[-1] = (0.5, "last", ROWS)
write_table(rows)
limited("sort", place("table.csv"), "--column", "number", "--out", place("out.csv"))
expect_table(sorted(rows, key=lambda row: row[0]))
rows[-1] = ("9007199254740993", "rounded", ROWS)
rows[-2] = (0.5, "real", ROWS)
write_table(rows)
error = limited("sort", place("table.csv"), "--column", "number", "--out", place("out.csv"), fails=True)
assert f"the integer '9007199254740993' would be rounded" in error, error
rows[-1] = ("12x", "wrong", ROWS)
write_table(rows)
error = limited("sort", place("table.csv"), "--column", "number", "--out", place("out.csv"), fails=True)
assert "column 1: '12x' is not a number" in error, error

# Columns of tables are read in parts: a block of rows many times, with a missing value in each, and a real number late in the file.
some = [source.randint(-5, 5) for _ in range(1000)]
block = "".join(f"{number},of customer {i % 7}\n" for i, number in enumerate(some)) + "NA,none\n"
TIMES = 2500
columns = ["--column", "number", "--missing", "skip", "-q", "--out", place("c.csv")]
for last in ("", "0.5,half\n"):
    open(place("long.csv"), "w").write("number,text\n" + block * TIMES + last)
    total = str(TIMES * sum(some) + 0.5 if last else TIMES * sum(some))
    limited("reduce", place("long.csv"), *columns)
    assert open(place("c.csv")).read() == total + "\n"
limited("select", place("long.csv"), *columns, "--where", "x > 3")
assert open(place("c.csv")).read() == "".join(f"{number}\n" for number in some if number > 3) * TIMES
limited("unique", place("long.csv"), *columns[:-1], place("c.npy"))
runs, twice = load("c.npy", "d").tolist(), [number for i, number in enumerate(some) if i == 0 or number != some[i - 1]]
assert runs[: len(twice)] == twice and runs[-1] == 0.5
assert len(runs) == len(twice) * TIMES - (TIMES - 1) * (some[0] == some[-1]) + 1
os.remove(place("c.npy"))
open(place("long.csv"), "a").write("no number,x\n")
error = run("reduce", place("long.csv"), *columns, "--memory", "64MiB", fails=True)
assert f"line {TIMES * 1001 + 3}, column 1: 'no number' is not a number" in error, error
os.remove(place("long.csv"))
os.remove(place("c.csv"))

# Signals at random moments, and a full disk: no file is left, and the old result stays.
names = sorted(os.listdir(folder))
run("sort", place("x.npy"), "--out", place("out.csv"), "--memory", "64MiB")
before = open(place("out.csv"), "rb").read()  # also the new result
for round in range(8):
    verb = subprocess.Popen(["upsweep", "sort", place("x.npy"), "--out", place("out.csv"), "--memory", "64MiB"], stdout=subprocess.DEVNULL,
                            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    time.sleep(source.random() * 0.3)
    verb.send_signal(signal.SIGINT)
    if verb.wait(timeout=60) == 0:
        break  # it was faster
    expect_files(folder, names)
    assert open(place("out.csv"), "rb").read() == before


def limit_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 22, 1 << 22))


names = sorted(os.listdir(folder))
before = open(place("out.csv"), "rb").read()
error = run("sort", place("x.npy"), "--out", place("out.npy"), "--memory", "64MiB", fails=True, preexec_fn=limit_files)
assert "File too large" in error, error
expect_files(folder, names)
shutil.rmtree(folder)
print("all results are right, and no verb exceeds its memory")
