# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The verbs on files against plain loops: random types, shapes, orders and options. `verbs.py FOLDER SEED ROUNDS [DEVICE]`;
# with a device, the verbs that have --device run on it.
import itertools
import os
import random
import sys

from arrays import load, run, save

OPERATIONS = {
    "sum": lambda a, b: a + b,
    "product": lambda a, b: a * b,
    "min": min,
    "max": max,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
}
TYPES = ["|i1", "|u1", "<i2", ">i2", "<u2", "<i4", ">i4", "<u4", "<i8", ">i8", "<u8", "<f2", "<f4", ">f4", "<f8", ">f8"]
SHAPES = [(0,), (1,), (7,), (1000,), (3, 4), (5, 3, 2), (1, 1), (40, 30), (2, 3, 4, 5), (64, 1)]
DEVICE = sys.argv[4:5]
ON_DEVICE = ["--device", *DEVICE] if DEVICE else []
STEP = 1 << (22 if DEVICE else 19)  # elements in one step of the command


def wrap(value, descr):
    if descr[1] == "f":
        return float(value)
    bits = 8 * int(descr[2:])
    value &= (1 << bits) - 1
    return value - (1 << bits) if descr[1] == "i" and value >> (bits - 1) else value


def native(descr):
    return descr.replace(">", "<")


def result_type(descr, operation):
    if operation in ("sum", "product") and descr[1] != "f":
        return "<%s8" % descr[1]
    return native(descr)


def identity(operation, descr):
    bits = 8 * int(descr[2:])
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if descr[1] == "i" else (0, (1 << bits) - 1)
    if descr[1] == "f":
        low, high = -float("inf"), float("inf")
    return {"sum": 0, "product": 1, "min": high, "max": low, "and": -1, "or": 0, "xor": 0}[operation]


def scan_line(values, operation, descr, exclusive, backward, heads=None):
    to = result_type(descr, operation)
    values = list(reversed(values)) if backward else values
    out, total = [], None
    for i, value in enumerate(values):
        if heads and heads[i]:
            total = None
        before = identity(operation, descr) if total is None else total
        total = value if total is None else OPERATIONS[operation](total, value)
        out.append(wrap(before if exclusive else total, to))
    return list(reversed(out)) if backward else out


def strides_of(shape, fortran):
    strides, step = [0] * len(shape), 1
    for d in range(len(shape)) if fortran else reversed(range(len(shape))):
        strides[d], step = step, step * shape[d]
    return strides


# Lists of indices in memory: the lines along an axis.
def lines_along(shape, fortran, axis):
    strides = strides_of(shape, fortran)
    others = [range(n) if d != axis else [0] for d, n in enumerate(shape)]
    for index in itertools.product(*others):
        first = sum(i * s for i, s in zip(index, strides))
        yield [first + i * strides[axis] for i in range(shape[axis])]


def in_c_order(values, shape, fortran):
    strides = strides_of(shape, fortran)
    return [values[sum(i * s for i, s in zip(index, strides))] for index in itertools.product(*map(range, shape))]


class Round:
    def __init__(self, folder, source, descr, shape):
        self.random, self.descr, self.shape = source, descr, shape
        self.place = lambda name: os.path.join(folder, name)
        self.fortran = source.random() < 0.4
        count = 1
        for extent in shape:
            count *= extent
        least = 0 if descr[1] == "u" else -6
        self.values = [source.randint(least, 9) for _ in range(count)]
        save(self.place("x.npy"), descr, self.values, shape, self.fortran, source.choice([1, 2, 3]))
        self.flat = in_c_order(self.values, shape, self.fortran)

    def result(self, *arguments):
        device = [] if arguments[0] in ("histogram", "sat") else ON_DEVICE
        run(arguments[0], self.place("x.npy"), *arguments[1:], *device, "--out", self.place("y.npy"), "-q")
        return load(self.place("y.npy"))

    def expect(self, found, descr, shape, values, what):
        assert found[0] == descr and found[1] == tuple(shape) and found[3] == values, (
            what, self.descr, self.shape, self.fortran, found[:2], descr, shape, found[3][:9], values[:9])

    # Devices scan only along the axis that is contiguous in memory.
    def takes_axis(self, axis):
        axis %= len(self.shape)
        others = self.shape[:axis] if self.fortran else self.shape[axis + 1 :]
        return not DEVICE or all(extent == 1 for extent in others)

    def operation(self):
        choice = self.random.choice(list(OPERATIONS))
        return "max" if self.descr[1] == "f" and choice in ("and", "or", "xor", "product") else choice

    def check_scan(self):
        operation = self.operation()
        exclusive, backward = self.random.random() < 0.5, self.random.random() < 0.5
        options = ["--op", operation] + ["--exclusive"] * exclusive + ["--backward"] * backward
        to = result_type(self.descr, operation)
        expected = scan_line(self.flat, operation, self.descr, exclusive, backward)
        self.expect(self.result("scan", *options), to, [len(self.flat)], expected, options)
        axis = self.random.randrange(-len(self.shape), len(self.shape))
        if not self.takes_axis(axis):
            return
        expected = [0] * len(self.values)
        for line in lines_along(self.shape, self.fortran, axis % len(self.shape)):
            for place, value in zip(line, scan_line([self.values[i] for i in line], operation, self.descr, exclusive, backward)):
                expected[place] = value
        self.expect(self.result("scan", *options, "--axis", axis), to, self.shape, expected, options + [axis])

    def check_keys(self):
        n, operation = len(self.flat), self.operation()
        keys = [int(key) for key in sorted(self.random.randint(0, 1 + n // 5) for _ in range(n))]
        kind = self.random.choice(["<i4", ">i8", "<f4", "<u2", ">f8"])
        save(self.place("k.npy"), kind, keys)
        heads = [i == 0 or keys[i] != keys[i - 1] for i in range(n)]
        exclusive, backward = self.random.random() < 0.5, self.random.random() < 0.5
        turned = [i == 0 or keys[n - 1 - i] != keys[n - i] for i in range(n)]
        options = ["--op", operation] + ["--exclusive"] * exclusive + ["--backward"] * backward
        expected = scan_line(self.flat, operation, self.descr, exclusive, backward, turned if backward else heads)
        by_key = self.result("scan", *options, "--by-key", self.place("k.npy"))
        self.expect(by_key, result_type(self.descr, operation), [n], expected, options)
        totals = scan_line(self.flat, operation, self.descr, False, False, heads)
        ends = [i for i in range(n) if i + 1 == n or heads[i + 1]]
        found = self.result("reduce", "--op", operation, "--by-key", self.place("k.npy"), "--keys-out", self.place("r.npy")) if n else None
        if found:
            self.expect(found, result_type(self.descr, operation), [len(ends)], [totals[i] for i in ends], "totals of runs")
            self.expect(load(self.place("r.npy")), kind, [len(ends)], [keys[i] for i in ends], "keys of runs")
        found = self.result("unique", "--counts", self.place("c.npy"))
        firsts = [i for i in range(n) if i == 0 or self.flat[i] != self.flat[i - 1]]
        self.expect(found, self.descr, [len(firsts)], [self.flat[i] for i in firsts], "unique")
        lengths = [b - a for a, b in zip(firsts, firsts[1:] + [n])]
        self.expect(load(self.place("c.npy")), "<u8", [len(lengths)], lengths, "counts")
        found = self.result("sort", "--by", self.place("k.npy"), "--descending")
        expected = [self.flat[i] for i in sorted(range(n), key=lambda i: -keys[i])]
        self.expect(found, self.descr, [n], expected, "sort by")

    def check_reduce(self):
        if not self.values:
            return
        operation = self.operation()
        to = result_type(self.descr, operation)
        total = scan_line(self.values, operation, self.descr, False, False)[-1]
        self.expect(self.result("reduce", "--op", operation), to, [], [total], operation)
        axis = self.random.randrange(len(self.shape))
        if not self.takes_axis(axis):
            return
        shape = [n for d, n in enumerate(self.shape) if d != axis]
        expected = [scan_line([self.values[i] for i in line], operation, self.descr, False, False)[-1]
                    for line in lines_along(self.shape, self.fortran, axis)]
        found = self.result("reduce", "--op", operation, "--axis", axis)
        assert found[0] == to and found[1] == tuple(shape), (found[:2], to, shape)
        assert in_c_order(found[3], shape, found[2]) == expected, (operation, self.shape, axis, found[3][:9], expected[:9])

    def check_select(self):
        number = self.random.randint(-8, 10)
        sign, kept = self.random.choice([("<", lambda x: x < number), ("<=", lambda x: x <= number), (">", lambda x: x > number),
                                         (">=", lambda x: x >= number), ("==", lambda x: x == number), ("!=", lambda x: x != number)])
        expected = [x for x in self.flat if kept(x)]
        self.expect(self.result("select", "--where", f"x {sign} {number}"), self.descr, [len(expected)], expected, sign)
        flags = [self.random.randint(0, 1) for _ in self.flat]
        save(self.place("k.npy"), "|b1", flags)
        expected = [x for x, flag in zip(self.flat, flags) if flag]
        self.expect(self.result("select", "--flags", self.place("k.npy")), self.descr, [len(expected)], expected, "flags")

    def check_sort(self):
        descending = self.random.random() < 0.5
        options = ["--descending"] * descending
        turn = -1 if descending else 1
        order = sorted(range(len(self.flat)), key=lambda i: turn * self.flat[i])
        self.expect(self.result("sort", *options), native(self.descr), [len(order)], [self.flat[i] for i in order], options)
        self.expect(self.result("sort", "--arg", *options), "<i8", [len(order)], order, "indices")

    def check_counts(self):
        bins = self.random.randint(1, 12)
        width = 16 / bins  # from -6 to 10
        expected = [0] * bins
        for x in self.values:
            expected[min(bins - 1, max(i for i in range(bins) if x >= -6 + i * width))] += 1
        self.expect(self.result("histogram", "--bins", bins, "--range", "-6,10"), "<u8", [bins], expected, bins)
        if len(self.shape) != 2 or not self.values:
            return
        height, width = self.shape
        table = [sum(self.flat[v * width + u] for v in range(y + 1) for u in range(x + 1)) for y in range(height) for x in range(width)]
        kind = "<f8" if self.descr[1] == "f" else "<%s8" % self.descr[1]
        self.expect(self.result("sat"), kind, self.shape, [wrap(x, kind) for x in table], "table")


# Lengths around the sizes of steps: each element of an array is its index.
def check_steps(folder):
    place = lambda name: os.path.join(folder, name)
    for n in (STEP + 1,) if DEVICE else (STEP - 1, STEP, STEP + 1, 2 * STEP + 3):
        save(place("x.npy"), "<u4", list(range(n)))
        run("scan", place("x.npy"), "--out", place("y.npy"), "-q", *ON_DEVICE)
        assert load(place("y.npy"))[3] == list(itertools.accumulate(range(n))), n
        run("scan", place("x.npy"), "--op", "max", "--exclusive", "--backward", "--out", place("y.npy"), "-q", *ON_DEVICE)
        assert load(place("y.npy"))[3] == [n - 1] * (n - 1) + [0], n
        run("select", place("x.npy"), "--where", f"{STEP - 2} <= x < {STEP + 2}", "--out", place("y.npy"), "-q", *ON_DEVICE)
        assert load(place("y.npy"))[3] == list(range(STEP - 2, min(n, STEP + 2))), n
        run("unique", place("x.npy"), "--counts", place("c.npy"), "--out", place("y.npy"), "-q", *ON_DEVICE)
        assert load(place("y.npy"))[3] == list(range(n)) and load(place("c.npy"))[3] == [1] * n, n
        assert run("reduce", place("x.npy"), "-q", *ON_DEVICE) == f"{n * (n - 1) // 2}\n", n
    for shape in () if DEVICE else ((3, STEP + 5), (STEP // 2 + 3, 3), (2, STEP // 2 + 1, 2)):
        n = shape[0] * shape[1] * (shape[2] if len(shape) > 2 else 1)
        save(place("x.npy"), "|u1", [i % 7 for i in range(n)], shape)
        run("scan", place("x.npy"), "--axis", 1, "--exclusive", "--out", place("y.npy"), "-q", *ON_DEVICE)
        inner = shape[2] if len(shape) > 2 else 1
        found, before = load(place("y.npy"))[3], [0] * inner
        for i in range(n):
            if i // inner % shape[1] == 0:
                before[i % inner] = 0
            assert found[i] == before[i % inner], (shape, i)
            before[i % inner] += i % 7


# Numbers with special rules of comparison: the files of the device and of the processors are equal, byte for byte.
def check_special(folder, source):
    place = lambda name: os.path.join(folder, name)
    special = [0.0, -0.0, float("inf"), -float("inf"), float("nan"), -float("nan"), 1.0, 1.0, -1.0, 6e-8]
    for descr in ("<f2", "<f4", "<f8", ">f4"):
        save(place("x.npy"), descr, [source.choice(special) for _ in range(1000)])
        save(place("k.npy"), "<i8", [source.randint(0, 3) for _ in range(1000)])
        for verb in (["select", "--where", "x <= 0"], ["select", "--where", "x != 1"], ["select", "--where", "0 < x < inf"],
                     ["select", "--where", "x == 0.1"], ["unique"], ["sort"], ["sort", "--descending"], ["sort", "--arg"],
                     ["sort", "--arg", "--descending"], ["scan", "--op", "min"], ["scan", "--op", "max", "--exclusive"],
                     ["reduce", "--op", "min"], ["scan", "--op", "max", "--by-key", place("k.npy")]):
            run(verb[0], place("x.npy"), *verb[1:], "--out", place("y.npy"), "-q")
            run(verb[0], place("x.npy"), *verb[1:], "--out", place("z.npy"), "-q", *ON_DEVICE)
            found, expected = open(place("z.npy"), "rb").read(), open(place("y.npy"), "rb").read()
            assert found == expected, (verb, descr, load(place("y.npy"))[3][:9], load(place("z.npy"))[3][:9])


folder, seed, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
os.makedirs(folder, exist_ok=True)
source = random.Random(seed)
for i in range(rounds):
    one = Round(folder, source, source.choice(TYPES), source.choice(SHAPES))
    for check in (one.check_scan, one.check_keys, one.check_reduce, one.check_select, one.check_sort, one.check_counts):
        check()
check_steps(folder)
if DEVICE:
    check_special(folder, source)
print("as the loops have it")
