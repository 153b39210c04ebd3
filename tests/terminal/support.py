# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Common functions of the tests of the terminal: the commands as data, runs in a scratch folder, files for examples."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/cli/inputs"))

import arrays


class Setting:
    """The build folder, a scratch folder with input files, and the commands as terminal-pages writes them."""

    def __init__(self, build: pathlib.Path, scratch: pathlib.Path):
        self.build, self.scratch = build, scratch
        self.command = json.loads((build / "packaging/terminal/commands.json").read_text())
        self.verbs = {verb["name"].split()[1]: verb for verb in self.command["verbs"]}
        # A cache of this test alone, since examples empty it.
        self.environment = os.environ | {"PATH": f"{build / 'bin'}:{os.environ['PATH']}", "UPSWEEP_CACHE_DIR": str(scratch / "cache"),
                                         "LC_ALL": "C.UTF-8"}

    def run(self, *words, **options) -> subprocess.CompletedProcess:
        options = {"capture_output": True, "text": True, "cwd": self.scratch, "timeout": 300, "env": self.environment} | options
        return subprocess.run([str(word) for word in words], **options)

    def make_inputs(self) -> None:
        """The files that the examples name, and a folder."""
        arrays.save(self.scratch / "a.npy", "<i4", [5, 3, 3, -1, 4, 4, 4, 9])
        arrays.save(self.scratch / "m.npy", "<f8", [1.5, 2, 3, 4, 5, 6], (2, 3))
        arrays.save(self.scratch / "depth.npy", "<f4", [0.4] * 12, (3, 4))
        (self.scratch / "sales.csv").write_text("region,amount\nnorth,3\nnorth,1\nsouth,4\n")
        for name in ["photo.png", "depth.png"]:
            subprocess.run([sys.executable, ROOT / "tests/cli/inputs/png.py", "make", self.scratch / name, "4", "3", "8"], check=True)
        shutil.copy(ROOT / "examples/scan.cl", self.scratch)


def remove(folder: pathlib.Path) -> None:
    """Removes a folder with a cache, to which an ending compiler server may still add the time of its last eviction."""
    for _ in range(20):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(0.1)
    shutil.rmtree(folder)


def main(cases: dict) -> None:
    """`test.py CASE BUILD`. A case may end the program with status 77: skipped."""
    build = pathlib.Path(sys.argv[2]).resolve()
    scratch = pathlib.Path(tempfile.mkdtemp())
    try:
        setting = Setting(build, scratch)
        setting.make_inputs()
        cases[sys.argv[1]](setting)
    finally:
        remove(scratch)


def skip(reason: str) -> None:
    print(f"skipped: {reason}")
    sys.exit(77)
