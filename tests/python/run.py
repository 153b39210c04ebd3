# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a test with the first Python that has NumPy: this one, or the system's."""

import pathlib
import subprocess
import sys

for python in [sys.executable, "/usr/bin/python3"]:
    if subprocess.run([python, "-c", "import numpy"], capture_output=True).returncode == 0:
        sys.exit(subprocess.run([python, pathlib.Path(__file__).parent / sys.argv[1]]).returncode)
print("skipped: no Python here has NumPy (Debian's package python3-numpy)")
sys.exit(77)
