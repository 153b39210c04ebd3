# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command line and the Python module are programs over public headers: the command line includes nothing of the driver's
and the compiler's folders, and neither names a namespace or a folder `detail`."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Layers below the command line: tables of image formats, the texts of commands, and the names of the checks.
OWN = ("cli/", "formats/", "usage/", "base/checks.h")
SOURCES = [path for folder in ["src/cli", "src/formats", "src/usage", "bench/textbooks", "python/src", "python/upsweep"]
           for path in sorted((ROOT / folder).rglob("*")) if path.suffix in (".cpp", ".h", ".cu", ".cuh", ".py", ".inc", ".def")]


def faults(path: pathlib.Path, text: str) -> list[str]:
    found = []
    for name in re.findall(r'^\s*#\s*include\s+"([^"]+)"', text, re.M):
        is_beside = (path.parent / name).exists()
        is_generated = (ROOT / "python").as_posix() in path.as_posix() and "/" not in name
        if not (is_beside or is_generated or name.startswith((*OWN, "bench/textbooks/", "examples/", "cpu/ladder/"))):
            found.append(f"includes {name}")
    # fmt's own namespace may be reopened in one file, which says why.
    if path.name != "fmt.cpp":
        found += [f"names {name}" for name in re.findall(r"\bdetail::\w*|<[^>\n]*/detail/[^>\n]*>", text)]
    return found


assert len(SOURCES) > 100, SOURCES
assert faults(ROOT / "src/cli/none.cpp", '#include "runtime/target.h"\n#include <upsweep/cpu/detail/chunks.h>\nopencl::detail::f();') == [
    "includes runtime/target.h", "names <upsweep/cpu/detail/chunks.h>", "names detail::f"]
wrong = [f"{path.relative_to(ROOT)} {fault}" for path in SOURCES for fault in faults(path, path.read_text())]
sys.exit("\n".join(wrong) or 0)
