#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes docs/precision.md from the results of `precision`: page.py FILE.json... > docs/precision.md. Among rows for the same
case, the one with the most arguments counts."""
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

The largest known errors of the math functions, in units of the exact result's last place (ulp). The reference is MPFR. For float and half the C
library's double is tried first, and MPFR decides wherever double cannot rule out the largest error.

- **Bold**: all arguments of the type were measured, which are 2^32 for float ({full} functions) and 65,536 for half. All other functions had the
  special numbers in every combination and random arguments (the last column has their number), so larger errors may exist.
- Numbers in parentheses are the bounds of the specification's tables 36 (float), 39 (double) and of `cl_khr_fp16`.
- "Relaxed" is `-cl-fast-relaxed-math`; "rounded" is `-cl-fp32-correctly-rounded-divide-sqrt`.
- `lgamma` has no bound. For double its errors were up to 4 ulp at random arguments above -2. Below, where zeros make units small, they were up to
  2e-15 times its value or 1, whichever is larger.

`precision --json FILE [--exhaustive]` and `tests/precision/page.py FILE` make this page; the tests `precision/*` measure a sample.

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
