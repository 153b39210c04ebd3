#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes docs/precision.md of what `precision` measured: page.py FILE.json... > docs/precision.md; of rows for the same, that
with the most arguments counts."""
import json
import sys

COLUMNS = [("half", "full"), ("float", "full"), ("float", "relaxed"), ("float", "correctly rounded"), ("double", "full")]


def merged(paths):
    rows = {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for name, types in json.load(file).items():
                for kind, modes in types.items():
                    for mode, row in modes.items():
                        old = rows.setdefault(name, {}).get((kind, mode))
                        if not old or (row["exhaustive"], row["arguments"]) > (old["exhaustive"], old["arguments"]):
                            rows[name][kind, mode] = row
    return rows


def bound(row, kind):
    value = row[f"{kind}_bound"]
    return "" if value == "infinite" else f"{value:g}"


def cell(row):
    if not row:
        return ""
    error = row["error"] if isinstance(row["error"], str) else f"{row['error']:.3g}"
    excess = row["excess"]
    wrong = " (past the bound)" if isinstance(excess, str) or excess > 1 else ""
    return f"**{error}**{wrong}" if row["exhaustive"] else error + wrong


def main():
    rows = merged(sys.argv[1:])
    full = sum(1 for row in rows.values() if row.get(("float", "full"), {}).get("exhaustive"))
    print(f"""# Precision

The largest errors of the math functions that were found, in units of the exact result's last place. The reference is MPFR; for float and half
it is asked wherever the C library's double cannot settle that an error is not the largest.

**Bold**: all arguments of the type were measured, which are 2^32 for float ({full} functions) and 65,536 for half. The others had the special
numbers in every combination and random arguments (see the last column), so that larger errors may exist. "relaxed" is
`-cl-fast-relaxed-math`; "rounded" is `-cl-fp32-correctly-rounded-divide-sqrt`. Numbers in parentheses are the bounds of the specification's
tables 36 (float), 39 (double) and of `cl_khr_fp16`; `lgamma` has none. Its double showed up to 4 ulp at random
arguments above -2; below it, where zeros make units small, errors of up to 2e-15 times its value or 1, whichever is larger.

Made by `precision --json FILE [--exhaustive]` and `tests/precision/page.py FILE`; a sample of it are the tests `precision/*`.

| function | half | float | float, relaxed | float, rounded | double | arguments of double |
|---|---:|---:|---:|---:|---:|---:|""")
    for name, modes in sorted(rows.items()):
        cells = []
        for kind, mode in COLUMNS:
            row = modes.get((kind, mode))
            limit = bound(row, kind) if row and mode == "full" else ""
            cells.append(cell(row) + (f" ({limit})" if limit else ""))
        count = modes.get(("double", "full"), {}).get("arguments")
        print(f"| `{name}` | " + " | ".join(cells) + f" | {f'{count:,}' if count else ''} |")


if __name__ == "__main__":
    main()
