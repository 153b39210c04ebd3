# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a test with each Python that has NumPy, this one and the system's, since their versions of NumPy may differ."""

import pathlib
import subprocess
import sys

statuses = []
for python in [sys.executable, "/usr/bin/python3"]:
    version = subprocess.run([python, "-c", "import numpy, sys; print(sys.prefix, numpy.__version__)"], capture_output=True, text=True)
    if version.returncode == 0 and version.stdout not in (before for before, _ in statuses):
        print("NumPy of", version.stdout.strip(), flush=True)
        statuses.append((version.stdout, subprocess.run([python, pathlib.Path(__file__).parent / sys.argv[1]]).returncode))
if not statuses:
    print("skipped: no Python here has NumPy (Debian's package python3-numpy)")
    sys.exit(77)
failed = [status for _, status in statuses if status not in (0, 77)]
sys.exit(failed[0] if failed else min(status for _, status in statuses))
