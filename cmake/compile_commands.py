#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Replaces in compile_commands.json the command of each unit by a command for each of its sources (upsweep_unity.cmake). By CMake's own
list neither clang-tidy nor clangd finds these sources."""
import json
import re
import sys
from pathlib import Path


def sources(unit):
    """The sources that a unit includes; the file itself if it is no unit."""
    path = Path(unit)
    if not re.fullmatch(r"unity_\d+_cxx\.cxx", path.name):
        return [unit]
    return re.findall(r'^#include "(.*)"$', path.read_text(encoding="utf-8"), re.MULTILINE)


def main(name):
    path = Path(name)
    commands = json.loads(path.read_text(encoding="utf-8"))
    each = [dict(command, file=source, command=command["command"].replace(command["file"], source))
            for command in commands for source in sources(command["file"])]
    path.write_text(json.dumps(each, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
