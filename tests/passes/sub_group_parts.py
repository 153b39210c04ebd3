# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs kernels of tests/kernels/sub_groups.cl as PTX (ptx_warps.py) with sub-groups of 8, 16 and 32, and compares them with a model.
usage: sub_group_parts.py UPSWEEPC
"""
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # into the sources
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import ptx_warps  # pylint: disable=wrong-import-position

WORD = 1 << 32


def signed(value):
    return (value + WORD // 2) % WORD - WORD // 2


def value_of(item):
    return ((item + 1) * 0x9E3779B9 % WORD >> 8) - 5000000


def all_functions(ids, lane, size, local):
    """The row of a work-item; `ids` are the global ids of its sub-group."""
    x = [value_of(i) for i in ids]
    mine, odd, base = x[lane], [v & 1 for v in x], ids[0] % local
    row = []
    for part in (x, x[: lane + 1], x[:lane]):
        row += [signed(sum(part)), min(part, default=2**31 - 1), max(part, default=-(2**31))]
    row += [x[-1], int(not any(odd)), int(any(odd))]
    row += [x[lane ^ 1] if lane ^ 1 < len(x) else mine, x[max(lane - 1, 0)], x[min(lane + 1, len(x) - 1)]]
    row += [signed(sum(bit << i for i, bit in enumerate(odd))), sum(odd[: lane + 1])]
    row += [base // size, -(-local // size), len(x), lane]
    alike = [i for i, bit in enumerate(odd) if bit == odd[lane]]
    return row + [alike[0], signed(sum(x[i] for i in alike)), alike.index(lane)]


def both_sides(ids, lane, size, local):
    local_ids = [i % local for i in ids]
    if local_ids[lane] % 3 == 0:
        return [sum(i for i in local_ids if i % 3 == 0)]
    return [1000 + sum(i for i in local_ids[:lane] if i % 3)]


def shrinking_loop(ids, lane, size, local):
    i, made = ids[lane] % local, 100000 * len(ids)
    for turn in range(i % 4):
        inside = [j % local for j in ids if turn < j % local % 4]
        made += len(inside)
        if (turn + i) % 2 == 0:
            made += 100 * max(j for j in inside if (turn + j) % 2 == 0)
    return [made]


def wanted(model, size, items, local):
    rows = []
    for item in range(items):
        first = item // local * local + item % local // size * size
        ids = range(first, min(first + size, item // local * local + local, items))
        rows += model(ids, item - first, size, local)
    return rows


def main():
    compiler, has_failed = sys.argv[1], False
    with tempfile.TemporaryDirectory() as scratch:
        ptx = os.path.join(scratch, "kernels.ptx")
        for capability in ("sm_75", "sm_90"):
            for size in (8, 16, 32):
                subprocess.run([compiler, "-w", "-cl-std=CL3.0", f"-DSIZE={size}", "--target=cuda", f"--cpu={capability}", "-o", ptx,
                                os.path.join(HERE, "../kernels/sub_groups.cl")], check=True)
                for model in (all_functions, both_sides, shrinking_loop):
                    for local in (1, 7, 20, 45):
                        rows = wanted(model, size, 2 * local, local)
                        if ptx_warps.run(ptx, model.__name__, 2 * local, local, len(rows)) != rows:
                            print(f"{model.__name__} differs: {capability}, sub-groups of {size}, work-groups of {local}")
                            has_failed = True
    return has_failed


if __name__ == "__main__":
    sys.exit(main())
