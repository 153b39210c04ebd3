# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Common functions of the tests of packages: run commands in a clean environment, skip with a reason, choose a case."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))


def skip(reason: str):
    """Ends the test with the status for skipped tests."""
    print(f"skipped: {reason}")
    sys.exit(77)


def run(*command, variables=None, check=True, **options) -> str:
    """Runs a command with PATH and HOME alone in its environment. Returns its standard output."""
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": os.environ.get("HOME", "/"), "LC_ALL": "C.UTF-8"}
    done = subprocess.run([str(part) for part in command], env=environment | (variables or {}), text=True, capture_output=True, **options)
    if check and done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout if check else done.stdout + done.stderr


def require_glibc_of_pages(promised: tuple[int, ...]) -> None:
    """docs/packages.md promises glibc 2.34. Newer systems than Debian 12 have headers that name newer versions of some functions."""
    here = tuple(map(int, os.confstr("CS_GNU_LIBC_VERSION").split()[1].split(".")))
    assert promised <= (2, 34) or here > (2, 36), f"the wheel needs glibc {promised}"


def tree(folder: pathlib.Path) -> set[str]:
    """The files and links below a folder, without Python's compiled files."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*")
            if (path.is_file() or path.is_symlink()) and "__pycache__" not in path.parts}


def main(cases: dict):
    """Runs the case that the first argument names, with the build folder of the second and a scratch folder in it."""
    build = pathlib.Path(sys.argv[2])
    (build / "test-packages").mkdir(exist_ok=True)
    scratch = pathlib.Path(tempfile.mkdtemp(dir=build / "test-packages", prefix=sys.argv[1] + "-"))
    try:
        cases[sys.argv[1]](build, scratch)
    finally:
        subprocess.run(["chmod", "-R", "u+w", scratch], check=False)
        shutil.rmtree(scratch)
