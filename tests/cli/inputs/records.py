# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sorts and merges of records and of tables' rows beside Python's sorts, and signals and full disks. `records.py FOLDER SEED`.
import os
import random
import resource
import shutil
import signal
import struct
import subprocess
import time
import sys

from arrays import expect_files, header, run

folder, source = sys.argv[1], random.Random(int(sys.argv[2]))
shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)
place = lambda name: os.path.join(folder, name)

# NumPy writes padding as fields without a name, and titles as tuples.
DESCR = [("id", "<i4"), ("", "|V4"), ("price", "<f8"), (("a title", "side"), ">i2"), ("name", "|S6"), ("pair", "<f4", (2,)),
         ("in", [("x", "|u1"), ("y", "<u2")]), ("text", "<U2"), ("when", "<M8[ns]"), ("it's", "|b1")]
LAYOUT = struct.Struct("<i4xd2s6s8s3s8sq?")
KEYS = {"id": lambda r: r[0], "price": lambda r: (r[1] != r[1], r[1]), "side": lambda r: int.from_bytes(r[2], "big", signed=True), "it's": lambda r: r[8]}


def record():
    price = source.choice([source.random(), -source.random(), float("inf"), 0.0, float("nan")])
    return (source.randint(-50, 50), price, source.randint(-300, 300).to_bytes(2, "big", signed=True), b"name", source.randbytes(8), source.randbytes(3),
            source.randbytes(8), source.randint(0, 1 << 60), source.random() < 0.5)


def save(name, records, descr=DESCR, version=1):
    with open(place(name), "wb") as file:
        file.write(header(descr, (len(records),), version=version) + b"".join(LAYOUT.pack(*r) for r in records))


# The bytes of a file, behind a header that must be NumPy's form.
def expect(name, records, descr=DESCR, version=1):
    data = open(place(name), "rb").read()
    length = struct.unpack("<H" if version == 1 else "<I", data[8 : 10 if version == 1 else 12])[0]
    start = (10 if version == 1 else 12) + length
    assert start % 64 == 0 and data[6] == version
    assert eval(data[10 if version == 1 else 12 : start]) == {"descr": descr, "fortran_order": False, "shape": (len(records),)}
    assert data[start:] == b"".join(LAYOUT.pack(*r) for r in records), name


for count in (0, 1, 2, 1000):
    records = [record() for _ in range(count)]
    save("r.npy", records)
    for field, key in KEYS.items() if count == 1000 else [("price", KEYS["price"])]:
        run("sort", place("r.npy"), "--column", field, "--out", place("o.npy"))
        expect("o.npy", sorted(records, key=key))
save("v2.npy", records, version=2)
run("sort", place("v2.npy"), "--column", "side", "--descending", "--out", place("v2.npy"))  # the output is the input
expect("v2.npy", sorted(records, key=lambda r: -KEYS["side"](r)), version=2)
assert "[-50 " in run("sort", place("r.npy"), "--column", "id")  # the field alone
assert str(sum(r[0] for r in records)) in run("reduce", place("r.npy"), "--column", "id")
pieces = [sorted(records[i::3], key=KEYS["id"]) for i in range(3)]
for i, piece in enumerate(pieces):
    save(f"p{i}.npy", piece)
run("merge", *(place(f"p{i}.npy") for i in range(3)), "--column", "id", "--out", place("o.npy"))
expect("o.npy", sorted(sum(pieces, []), key=KEYS["id"]))
for piece, rest in ((f"p{i}.npy", pieces[i]) for i in range(3)):
    save(piece, rest[::-1])
run("merge", *(place(f"p{i}.npy") for i in range(3)), "--column", "id", "--descending", "--out", place("o.npy"))
expect("o.npy", sorted(sum((p[::-1] for p in pieces), []), key=lambda r: -r[0]))

# Errors.
save("r.npy", records)
for arguments, text in ((["sort", "r.npy"], "holds records; choose one of their fields with --column: 'id', 'price'"),
                        (["sort", "r.npy", "--column", "no"], "has no field 'no'; its fields are 'id'"),
                        (["sort", "r.npy", "--column", "name"], "has a field 'name' of type |S6, which is no single number"),
                        (["sort", "r.npy", "--column", "pair"], "and a shape, which is no single number"),
                        (["sort", "r.npy", "--column", "in"], "of type [...], which is no single number"),
                        (["merge", "r.npy", "r.npy", "--column", "id"], "r.npy' is not sorted: row ")):
    files = [place(a) if a.endswith(".npy") else a for a in arguments]
    error = run(*files, "--out", place("e.npy"), fails=True)
    assert text in error, error
    expect_files(folder, ["r.npy", "o.npy", "v2.npy", "p0.npy", "p1.npy", "p2.npy"])
assert "files of records end in .npy" in run("sort", place("r.npy"), "--column", "id", "--out", place("e.csv"), fails=True)
whole = open(place("r.npy"), "rb").read()
for _ in range(40):  # damaged headers and lengths end with a sentence, or with a result
    damaged = bytearray(whole[: source.randint(0, len(whole))])
    for _ in range(source.randint(0, 3)):
        if damaged:
            damaged[source.randrange(min(len(damaged), 512))] = source.choice(b"[](),'<|V9\x00\xff")
    open(place("d.npy"), "wb").write(damaged)
    done = subprocess.run(["upsweep", "sort", place("d.npy"), "--column", "id", "--out", place("e.npy"), "-q"], capture_output=True)
    assert done.returncode in (0, 1), done
os.remove(place("d.npy"))

# Records in several runs, within a memory that is smaller than the file.
wide = DESCR + [("rest", "|V100")]
some = [LAYOUT.pack(*record()) + source.randbytes(100) for _ in range(4000)]
many = [source.choice(some) for _ in range(240_000)]
with open(place("large.npy"), "wb") as file:
    file.write(header(wide, (len(many),)) + b"".join(many))
run("sort", place("large.npy"), "--column", "id", "--memory", "64MiB", "--out", place("sorted.npy"))
start = len(header(wide, (len(many),)))
by_id = sorted(many, key=lambda r: struct.unpack_from("<i", r)[0])
assert open(place("sorted.npy"), "rb").read()[start:] == b"".join(by_id)
run("merge", place("sorted.npy"), place("sorted.npy"), "--column", "id", "--memory", "64MiB", "--out", place("twice.npy"))
assert open(place("twice.npy"), "rb").read()[start:] == b"".join(sorted(by_id + by_id, key=lambda r: struct.unpack_from("<i", r)[0]))


# Rows of tables.
def table(name, rows, head="number,text"):
    open(place(name), "w", newline="").write("".join(line + "\n" for line in [head, *rows]))


def merged(*names, column, options=()):
    run("merge", *map(place, names), "--column", column, "--out", place("out.csv"), *options)
    return open(place("out.csv"), newline="").read().splitlines()[1:]


key = lambda row: float(row.split(",")[0])
a = sorted((f"{source.randint(-99, 99)},a{i}" for i in range(2000)), key=key)
b = sorted((f"{source.randint(-99, 99)},b{i}" for i in range(3000)), key=key)
c = sorted((f"{source.randint(-99, 99) / 4},c{i}" for i in range(100)), key=key)
table("a.csv", a), table("b.csv", b), table("c.csv", c), table("none.csv", [])
assert merged("a.csv", "b.csv", column="number") == sorted(a + b, key=key)
assert merged("a.csv", "none.csv", "c.csv", column="number") == sorted(a + c, key=key)  # numbers become real
table("d.csv", a[::-1]), table("e.csv", b[::-1])
assert merged("d.csv", "e.csv", column="number", options=["--descending"]) == sorted(a[::-1] + b[::-1], key=key, reverse=True)
text = lambda row: row.split(",")[1]
words = [sorted((f"{i},{source.choice(['north', 'northern lights', 'x', 'south'])}{i % 9}" for i in range(n)), key=text) for n in (2000, 3000)]
table("f.csv", words[0]), table("g.csv", words[1])
assert merged("f.csv", "g.csv", column="text") == sorted(words[0] + words[1], key=text)
table("h.csv", ["1,a"], head="number,word"), table("i.csv", ["1,a,2"], head="number,text,more"), table("j.csv", ["3,a", "2,b"])
for other, message in (("h.csv", "have different headers"), ("i.csv", "has 3 columns, but"), ("j.csv", "j.csv' is not sorted: row 2 comes")):
    error = run("merge", place("a.csv"), place(other), "--column", "number", "--out", place("out.csv"), fails=True)
    assert message in error, error

# Signals at random moments and disks that fill at random sizes: no file is left, and the old result stays.
names = sorted(os.listdir(folder))
commands = ([["sort", "large.npy", "--column", "id", "--memory", "64MiB"], "sorted.npy"],
            [["merge", "sorted.npy", "sorted.npy", "--column", "id", "--memory", "64MiB"], "twice.npy"], [["merge", "a.csv", "b.csv", "--column", "number"], "out.csv"])
run("merge", place("a.csv"), place("b.csv"), "--column", "number", "--out", place("out.csv"))
for _ in range(8):
    (arguments, out) = source.choice(commands)
    before = open(place(out), "rb").read()  # also the new result
    size = source.randint(0, len(before) - 1)
    has_signal = source.random() < 0.5
    limit = (lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)) if has_signal else (lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))
    arguments = [place(a) if "." in a else a for a in arguments]
    verb = subprocess.Popen(["upsweep", *arguments, "--out", place(out), "-q"], stderr=subprocess.PIPE, preexec_fn=limit, text=True)
    if has_signal:
        time.sleep(source.random() * 0.2)
        verb.send_signal(signal.SIGINT)
    error = verb.communicate(timeout=60)[1]
    expect_files(folder, names)
    assert has_signal or "File too large" in error, error
    assert open(place(out), "rb").read() == before
shutil.rmtree(folder)
print("all records and rows are in order")
