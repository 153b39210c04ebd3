#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a tutorial as its reader would: writes the files of its page, runs its commands in their folder, and compares what they print.

    docs/site/tutorials.py docs/start/cpu.md      # UPSWEEP is the clone; PATH and OCL_ICD_VENDORS lead to the build

In a page ```LANGUAGE title="NAME" is the file NAME, ```bash are commands, and ```text behind them is their standard output, in which ...
stands for any text. Commands titled "in the clone" build the products, which the caller has done. Status 77: a tool is missing."""
import doctest
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(r'^```(\w+)(?: title="([^"]*)")?\n(.*?)^```$', re.M | re.S)


def steps(text):
    """("file", name, text) and ("run", commands, output or None), in the order of the page."""
    made = []
    for language, name, body in BLOCK.findall(text):
        if name == "in the clone":
            continue
        if name:
            made.append(("file", name, body))
        elif language == "bash":
            made.append(("run", body, None))
        elif language == "text":
            kind, commands, output = made[-1]
            if kind != "run" or output is not None:
                raise ValueError("no commands stand before the output " + body)
            made[-1] = (kind, commands, body)
    return made


def is_as_written(written, printed):
    return doctest.OutputChecker().check_output(written, printed, doctest.ELLIPSIS)


def has_gpu():
    return Path("/dev/nvidia0").exists()


def adapted(commands):
    """Without a GPU a CUDA program is compiled for a named one, and not run."""
    if "nvcc" in commands and not has_gpu():
        return commands.replace("-arch=native", "-arch=sm_80")
    return commands


def python_with_module():
    """The first Python that has NumPy, as the module's own tests choose it: this one, or the system's."""
    for python in (sys.executable, "/usr/bin/python3"):
        found = subprocess.run([python, "-c", "import numpy, upsweep; upsweep.cumsum"], capture_output=True, text=True)
        if found.returncode == 0:
            return python
    sys.exit(print("skipped: no Python here imports NumPy and upsweep: " + found.stderr.strip().splitlines()[-1]) or 77)


def install_headers(prefix):
    """The installation that the page's reader made in the clone."""
    for command in (["-B", prefix + "/headers", "-DUPSWEEP_HEADERS_ONLY=ON"], ["--install", prefix + "/headers", "--prefix", prefix]):
        subprocess.run(["cmake", *command], cwd=os.environ["UPSWEEP"], check=True, stdout=subprocess.DEVNULL)
    os.environ["CMAKE_PREFIX_PATH"] = prefix


def run(page):
    todo = steps(page.read_text(encoding="utf-8"))
    is_cuda = any("nvcc" in commands for kind, commands, _ in todo if kind == "run")
    if is_cuda and not shutil.which("nvcc"):
        sys.exit(print("skipped: there is no nvcc") or 77)
    python = python_with_module() if any("python3 " in commands for kind, commands, _ in todo if kind == "run") else None
    num_compared = 0
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as prefix:
        if any("find_package(upsweep" in text for _, _, text in todo if text):
            install_headers(prefix)
        for kind, first, second in todo:
            if kind == "file":
                (Path(folder) / first).write_text(second, encoding="utf-8")
                continue
            if is_cuda and not has_gpu() and "nvcc" not in first:
                print("not run, since there is no GPU here: " + first.strip())
                continue
            commands = adapted(first).replace("python3 ", f"{python} ")
            done = subprocess.run(["bash", "-euo", "pipefail", "-c", commands], cwd=folder, stdout=subprocess.PIPE, text=True)
            if done.returncode:
                sys.exit(f"{page.name}: status {done.returncode} of\n{first}{done.stdout}")
            if second is not None and not is_as_written(second, done.stdout):
                sys.exit(f"{page.name}:\n{first}printed\n{done.stdout}and the page says\n{second}")
            num_compared += second is not None
    print(f"{page.name}: {len(todo)} steps, {num_compared} outputs as written")


if __name__ == "__main__":
    os.environ.setdefault("UPSWEEP", str(Path(__file__).resolve().parents[2]))
    run(Path(sys.argv[1]))
