# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The system's libraries and symbols that a shared object or program needs, by readelf, and the manylinux tag that follows
(PEP 600)."""

import pathlib
import re
import subprocess

# The libraries that PEP 600's policies permit and C and C++ programs need, among them the dynamic loader.
SYSTEM = {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "libdl.so.2", "libpthread.so.0", "librt.so.1", "ld-linux-x86-64.so.2"}


def _readelf(option: str, file: pathlib.Path) -> str:
    return subprocess.run(["readelf", "-W", option, file], check=True, capture_output=True, text=True, env={"LC_ALL": "C",
                          "PATH": "/usr/local/bin:/usr/bin:/bin"}).stdout


def needed(file: pathlib.Path) -> set[str]:
    """The names of the libraries with which it is linked."""
    return set(re.findall(r"\(NEEDED\).*\[(.*)\]", _readelf("-d", file)))


def symbol_versions(file: pathlib.Path, library: str) -> list[tuple[int, ...]]:
    """The versions of undefined symbols with a prefix such as GLIBC, in order."""
    found = set(re.findall(rf" UND \S+@{library}_([0-9.]+)", _readelf("--dyn-syms", file)))
    return sorted(tuple(map(int, each.split("."))) for each in found)


def manylinux_tag(files: list[pathlib.Path], bundled: set[str]) -> str:
    """The wheel's tag for these files, which may also use bundled libraries. Any other dependency is an error."""
    newest = (2, 17)  # the oldest version with such a tag
    for file in files:
        if foreign := needed(file) - SYSTEM - bundled:
            raise SystemExit(f"packaging: {file.name} needs {', '.join(sorted(foreign))}, which no system promises")
        newest = max([newest, *symbol_versions(file, "GLIBC")])
        # libgcc_s.so.1 of GCC 5, which all systems with such a glibc have.
        if [each for each in symbol_versions(file, "GCC") if each > (5,)]:
            raise SystemExit(f"packaging: {file.name} needs a libgcc_s that is newer than GCC 5's")
    return f"manylinux_{newest[0]}_{newest[1]}_x86_64"
