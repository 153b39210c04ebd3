# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a kernel's PTX, thread by thread. The kernel's one argument is a buffer of ints, which are printed. Threads of a warp only meet at
instructions with a mask, where all threads of the mask must arrive with the same mask, so that a wrong mask is an error or a deadlock.
Arithmetic is that of integers; an unknown instruction is an error. Source: PTX ISA, "shfl.sync", "vote.sync", "redux.sync".
usage: ptx_warps.py PTX KERNEL GLOBAL_SIZE LOCAL_SIZE INTS
"""
import operator
import re
import struct
import sys

WARP = 32
SHARED = 1 << 20  # addresses from here on are a block's
NOT_THERE = 0xDEADBEEF  # from a lane that is not in the mask


class Kernel:
    """The instructions of an entry, and the memory that the module declares."""

    def __init__(self, text, name):
        self.memory, self.symbols, self.code, self.labels = bytearray(1 << 22), {}, [], {}
        self.next = {"global": 4096, "shared": SHARED}
        entry = re.search(rf"\.entry {name}\((.*?)\)\s*(?:\.\w+ [\d, ]+\s*)*\{{(.*?)\n\}}", text, re.S)
        for match in re.finditer(r"\.(global|shared) \.align (\d+) \.b8 ([\w$]+)\[(\d+)\](?: = \{(.*?)\})?", text):
            self.declare(match[1], match[3], int(match[4]), [int(n) for n in match[5].split(",")] if match[5] else [])
        for match in re.finditer(r"\.param \.\w+ (?:\d+ \.b8 )?([\w$]+)(?:\[(\d+)\])?", entry[1]):
            self.declare("global", match[1], int(match[2] or 8), [])
        for line in entry[2].split("\n"):
            if match := re.match(r"(\$\w+):", line.strip()):
                self.labels[match[1]] = len(self.code)
            for statement in line.split("//")[0].strip(" \t").split(";"):
                statement = re.sub(r"^[{}\s]+", "", statement).strip()
                if statement and not statement.startswith((".", "$")) and statement != "}":
                    guard, opcode, operands = re.match(r"(?:@(!?[%\w]+)\s+)?([\w.:]+)\s*(.*)", statement).groups()
                    self.code.append((guard, opcode.split("."), re.findall(r"\[.*?\]|\{.*?\}|[^,\s]+", operands)))

    def declare(self, space, name, size, values):
        at = self.next[space]
        self.next[space] = (at + size + 15) & ~15
        self.symbols[name] = at
        self.memory[at : at + len(values)] = bytes(values)


def bits_of(kind):
    return 1 if kind == "pred" else int(kind[1:])


def signed(value, bits):
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


SIMPLE = {"add": operator.add, "sub": operator.sub, "and": operator.and_, "or": operator.or_, "xor": operator.xor, "min": min, "max": max}
COMPARE = {"eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge}


class Thread:
    """Its registers and place. `waits` is (place, mask, value) at an instruction of the warp, or ("bar", value)."""

    def __init__(self, kernel, special):
        self.kernel, self.registers, self.at, self.waits, self.is_done = kernel, dict(special), 0, None, False

    def get(self, operand, kind):
        if operand in self.registers:
            value = self.registers[operand]
        elif operand in self.kernel.symbols:
            value = self.kernel.symbols[operand]
        else:
            value = int(operand, 0)
        value &= (1 << bits_of(kind)) - 1
        return signed(value, bits_of(kind)) if kind[0] == "s" else value

    def put(self, register, value, kind):
        self.registers[register] = value & ((1 << bits_of(kind)) - 1)

    def address(self, operand):
        base, _, offset = operand.strip("[]").partition("+")
        return self.get(base, "u64") + int(offset or 0)

    def run(self):
        while not self.is_done and not self.waits:
            guard, opcode, operands = self.kernel.code[self.at]
            self.at += 1
            if guard and bool(self.registers[guard.lstrip("!")]) == guard.startswith("!"):
                continue
            self.step(opcode, operands)

    def step(self, opcode, operands):
        name, kind = opcode[0], opcode[-1]
        read = lambda i, of=kind: self.get(operands[i], of)  # noqa: E731
        if name == "ret":
            self.is_done = True
        elif name == "bra":
            self.at = self.kernel.labels[operands[0]]
        elif name in ("ld", "st"):
            self.access(name, opcode, operands)
        elif name == "bar" and opcode[1] != "warp":
            self.waits = ("bar", self.get(operands[2], "pred") if opcode[1] == "red" else 0)
        elif name in ("shfl", "vote", "redux") or opcode[:2] == ["bar", "warp"]:
            self.waits = (self.at, self.get(operands[-1], "u32"), None)
        elif name == "setp":
            self.put(operands[0], COMPARE[opcode[1]](read(1), read(2)), "pred")
        elif name == "selp":
            self.put(operands[0], read(1) if self.get(operands[3], "pred") else read(2), kind)
        elif name in ("mov", "cvta"):
            self.put(operands[0], read(1), kind)
        elif name == "cvt":
            self.put(operands[0], self.get(operands[1], kind), opcode[-2])
        elif name == "not":
            self.put(operands[0], ~read(1), kind)
        elif name == "neg":
            self.put(operands[0], -read(1), kind)
        elif name in ("shl", "shr"):
            count = min(self.get(operands[2], "u32"), bits_of(kind))
            self.put(operands[0], read(1) << count if name == "shl" else read(1) >> count, kind)
        elif name in ("mul", "mad"):
            bits = bits_of(kind)
            product = read(1) * read(2) >> (bits if "hi" in opcode else 0)
            wide = kind[0] + str(2 * bits) if "wide" in opcode else kind
            self.put(operands[0], product + (self.get(operands[3], wide) if name == "mad" else 0), wide)
        elif name == "clz":
            self.put(operands[0], bits_of(kind) - read(1).bit_length(), "u32")
        elif name == "popc":
            self.put(operands[0], bin(read(1)).count("1"), "u32")
        elif name == "bfe":
            self.put(operands[0], read(1) >> read(2) & ((1 << read(3)) - 1), kind)
        elif name in SIMPLE:
            self.put(operands[0], SIMPLE[name](read(1), read(2)), kind)
        else:
            raise ValueError(f"unknown instruction {'.'.join(opcode)}")

    def access(self, name, opcode, operands):
        size = bits_of(opcode[-1]) // 8
        place, values = (operands[1], operands[0]) if name == "ld" else (operands[0], operands[1])
        at = self.address(place)
        for register in re.findall(r"[^{},\s]+", values):
            if name == "ld":
                self.put(register, int.from_bytes(self.kernel.memory[at : at + size], "little"), opcode[-1].replace("s", "u"))
            else:
                self.kernel.memory[at : at + size] = self.get(register, f"u{8 * size}").to_bytes(size, "little")
            at += size


def shuffle(warp, lane, lanes, opcode, operands):
    """The value and whether its lane is in the bounds."""
    thread = warp[lane]
    b, bounds = (thread.get(operands[i], "u32") for i in (2, 3))
    same = bounds >> 8 & 31
    last = (lane & same) | (bounds & 31 & ~same)
    source = {"up": lane - (b & 31), "down": lane + (b & 31), "bfly": lane ^ (b & 31), "idx": (lane & same) | (b & 31 & ~same)}[opcode[2]]
    is_there = source >= last if opcode[2] == "up" else source <= last
    source = source if is_there else lane
    return (warp[source].get(operands[1], "u32") if source in lanes else NOT_THERE), is_there


def meet(kernel, warp, lanes, place, mask):
    _, opcode, operands = kernel.code[place - 1]
    name, kind = opcode[0], opcode[-1]
    if name == "vote":
        ballot = sum(1 << lane for lane in lanes if bool(warp[lane].registers[operands[1].lstrip("!")]) != operands[1].startswith("!"))
        results = {lane: (ballot, None) for lane in lanes}
    elif name == "redux":
        values = [warp[lane].get(operands[1], kind) for lane in lanes]
        total = sum(values) if opcode[2] == "add" else SIMPLE[opcode[2]](values)
        results = {lane: (total, None) for lane in lanes}
    elif name == "shfl":
        results = {lane: shuffle(warp, lane, lanes, opcode, operands) for lane in lanes}
    else:
        results = {}
    for lane, (value, is_there) in results.items():
        register, _, predicate = operands[0].partition("|")
        warp[lane].put(register, value, "u32")
        if predicate:
            warp[lane].put(predicate, is_there, "pred")
    for lane in lanes:
        warp[lane].waits = None


def run_block(kernel, threads):
    warps = [dict(enumerate(threads[i : i + WARP])) for i in range(0, len(threads), WARP)]
    while not all(thread.is_done for thread in threads):
        for thread in threads:
            thread.run()
        has_met = False
        for warp in warps:
            for lane, thread in warp.items():
                if not thread.waits or thread.waits[0] == "bar":
                    continue
                place, mask, _ = thread.waits
                if not mask >> lane & 1:
                    raise ValueError(f"lane {lane} is not in its mask {mask:#x}")
                lanes = [other for other in range(WARP) if mask >> other & 1]
                if all(other in warp and warp[other].waits == thread.waits for other in lanes):
                    meet(kernel, warp, lanes, place, mask)
                    has_met = True
        waiting = [thread for thread in threads if not thread.is_done]
        if waiting and all(thread.waits and thread.waits[0] == "bar" for thread in waiting):
            release(kernel, waiting)
        elif waiting and not has_met:
            raise ValueError("deadlock: " + str(sorted({str(thread.waits) for thread in waiting})))


def release(kernel, waiting):
    for thread in waiting:
        _, opcode, operands = kernel.code[thread.at - 1]
        if opcode[1] == "red":
            thread.put(operands[0], (any if "or" in opcode else all)(other.waits[1] for other in waiting), "pred")
    for thread in waiting:
        thread.waits = None


def run(path, name, size, local, ints):
    """The buffer's ints after a launch of `size` work-items."""
    with open(path, encoding="utf-8") as file:
        kernel = Kernel(file.read(), name)
    kernel.declare("global", "output", 4 * ints, [])
    parameter, grid = kernel.symbols[name + "_param_0"], kernel.symbols[name + "_param_1"]
    output = kernel.symbols["output"]
    kernel.memory[parameter : parameter + 8] = struct.pack("<Q", output)
    groups = (size + local - 1) // local
    for group in range(groups):
        items = min(local, size - group * local)
        # UpsweepGrid, as if each work-group were a grid (src/targets/cuda/kernel_abi.h)
        fields = struct.pack("<15Q4I", group * local, 0, 0, group, 0, 0, size, 1, 1, 0, 0, 0, groups, 1, 1, local, 1, 1, 1)
        kernel.memory[grid : grid + len(fields)] = fields
        special = {"%ntid.x": items, "%ntid.y": 1, "%ntid.z": 1, "%tid.y": 0, "%tid.z": 0, "%ctaid.x": 0, "%ctaid.y": 0, "%ctaid.z": 0}
        run_block(kernel, [Thread(kernel, {**special, "%tid.x": i, "%laneid": i % WARP}) for i in range(items)])
    return list(struct.unpack(f"<{ints}i", kernel.memory[output : output + 4 * ints]))


if __name__ == "__main__":
    print(*run(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:])))
