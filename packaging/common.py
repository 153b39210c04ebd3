# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Common code of all packages: the version, the time stamp in archives, the staged products, and the parts linked into
them."""

import contextlib
import json
import os
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SUMMARY = "OpenCL 3.1 for x86-64 CPUs and 3.0 for NVIDIA GPUs, whose scans and reductions are register shuffles"


def version() -> str:
    """The version in CMakeLists.txt's project(), its only source."""
    found = re.search(r"project\(upsweep VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())
    assert found, "CMakeLists.txt: no project(upsweep VERSION ...)"
    return found[1]


def epoch() -> int:
    """The time stamp of all files in archives, in seconds: SOURCE_DATE_EPOCH, else the last commit's, else the begin of 1980
    (ZIP's)."""
    if value := os.environ.get("SOURCE_DATE_EPOCH"):
        return max(int(value), 315532800)
    shown = subprocess.run(["git", "-C", ROOT, "log", "-1", "--format=%ct"], capture_output=True, text=True)
    return int(shown.stdout) if shown.returncode == 0 and shown.stdout.strip() else 315532800


def stage(build: pathlib.Path, prefix: pathlib.Path, component: str) -> pathlib.Path:
    """Installs a component of the build below the prefix, stripped, and returns the prefix."""
    subprocess.run(["cmake", "--install", build, "--prefix", prefix, "--component", component, "--strip"],
                   check=True, stdout=subprocess.DEVNULL)
    return prefix


def stage_products(build: pathlib.Path, prefix: pathlib.Path) -> pathlib.Path:
    """The driver, the compiler and the commands, without symbols for debuggers and linkers."""
    stage(build, prefix, "runtime")
    # CMake strips a library of its debug symbols alone; what it exports is in another table.
    for file in [prefix / "lib/libupsweep-opencl.so", prefix / "bin/upsweepc", prefix / "bin/upsweep",
                 prefix / "libexec/upsweep/upsweep-bench"]:
        subprocess.run(["strip", "--strip-all", "--remove-section=.comment", file], check=True)
    return prefix


def parts() -> list[dict]:
    """The rows of parts.json, each with the version and the licence's text as the installed Debian package has them."""
    rows = json.loads((ROOT / "packaging/parts.json").read_text())["parts"]
    for row in rows:
        shown = subprocess.run(["dpkg-query", "-W", "-f", "${Package} ${Version} ${db:Status-Status}\n", row["package"]],
                               capture_output=True, text=True)
        installed = [line.split() for line in shown.stdout.splitlines() if line.endswith(" installed")]
        if not installed:
            raise SystemExit(f"packaging: {row['package']} is not installed, whose part {row['name']} is in {', '.join(row['in'])}")
        name, row["version"], _ = installed[-1]
        row["package"] = name
        row["text"] = pathlib.Path(f"/usr/share/doc/{name}/copyright").read_text(errors="replace")
    return rows


def licences(products: set[str]) -> str:
    """One text: the licence of this project, then those of the linked parts."""
    chosen = [row for row in parts() if products & set(row["in"])]
    texts: dict[str, list[str]] = {}
    for row in chosen:
        texts.setdefault(row["text"], []).append(row["name"])
    lines = ["Upsweep: Apache-2.0 WITH LLVM-exception, see LICENSE. Its programs and its driver contain parts of other works:", ""]
    lines += [f"- {row['name']} {row['version']}: {row['licence']}, in {', '.join(row['in'])}" for row in chosen]
    lines += ["", "The GNU C Library's sources are those of the Debian package named above; with them and this project's sources",
              "`./dev build` links upsweepc anew.", ""]
    for text, names in texts.items():
        lines += ["=" * 100, ", ".join(names), "=" * 100, text.rstrip(), ""]
    return "\n".join(lines)


@contextlib.contextmanager
def scratch():
    """A temporary folder for a `with` statement."""
    with tempfile.TemporaryDirectory() as name:
        yield pathlib.Path(name)


def arguments(description: str):
    """The common options of all package makers: --build and --out."""
    import argparse

    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release", help="the build folder (build/release)")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build/packages", help="where the packages go (build/packages)")
    return parser
