# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Truncated and mutated files give a result, or one sentence and status 1, and never a crash or a part of a file. `hostile.py
# FOLDER SEED ROUNDS`.
import os
import random
import shutil
import subprocess
import sys

from arrays import expect_files, header, pack

PNG = os.path.join(os.path.dirname(__file__), "png.py")

folder, source, rounds = sys.argv[1], random.Random(int(sys.argv[2])), int(sys.argv[3])
shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)
place = lambda name: os.path.join(folder, name)
subprocess.run([sys.executable, PNG, "make", place("a.png"), "9", "5", "8"], check=True)
subprocess.run([sys.executable, PNG, "make", place("b.png"), "3", "4", "16"], check=True)
originals = {
    "a.npy": header("<f4", (3, 5)) + pack("<f4", list(range(15))),
    "b.npy": header(">i2", (4, 2), True, 2) + pack(">i2", list(range(8))),
    "c.csv": b'name,"a, b",c\n1,2,3\n"4",5.5,-6\r\n7,1e3,9\n',
    "a.png": open(place("a.png"), "rb").read(),
    "b.png": open(place("b.png"), "rb").read(),
}
os.remove(place("a.png"))
os.remove(place("b.png"))
VERBS = [["scan"], ["scan", "--axis", "1", "--backward"], ["reduce", "--axis", "0"], ["select", "--where", "x > 2"], ["unique"],
         ["sort", "--arg"], ["histogram", "--bins", "3"], ["sat"]]


def mutate(data):
    data = bytearray(data)
    kind = source.randrange(4)
    if kind == 0:
        return bytes(data[: source.randrange(len(data))])
    for _ in range(source.randint(1, 4)):
        at = source.randrange(min(len(data), 150) if kind == 1 else len(data))
        if kind == 3:
            data[at:at] = bytes(source.randrange(256) for _ in range(source.randint(1, 9)))
        else:
            data[at] = source.choice([source.randrange(256), ord("9"), 0, 255, data[at] ^ 1 << source.randrange(8)])
    return bytes(data)


statuses = {0: 0, 1: 0}
for i in range(rounds):
    name = source.choice(list(originals))
    data = mutate(originals[name])
    open(place(name), "wb").write(data)
    arguments = [*source.choice(VERBS), place(name), "--out", place("out.npy")]
    if name.endswith(".csv"):
        arguments += ["--column", source.choice(["2", "c", "a, b", "9"])]
    elif name.endswith(".png") and source.random() < 0.3:
        arguments = ["blur", place(name), "--radius", "2", "--out", place("out.png")]
    done = subprocess.run(["upsweep", *arguments], capture_output=True, text=True, errors="replace", timeout=60)
    assert done.returncode in statuses, (arguments, data, done)
    statuses[done.returncode] += 1
    if done.returncode == 1:
        assert done.stderr.startswith("upsweep: ") and done.stderr.count("\n") == 1, (arguments, data, done)
        expect_files(folder, [name])
    else:
        expect_files(folder, [name, os.path.basename(arguments[arguments.index("--out") + 1])])
    shutil.rmtree(folder)
    os.makedirs(folder)
assert min(statuses.values()) > rounds // 20, statuses
print("never a crash")
