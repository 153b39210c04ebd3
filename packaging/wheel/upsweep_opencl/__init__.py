# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Upsweep, an OpenCL driver for x86-64 CPUs (3.1) and NVIDIA GPUs (3.0), as files beside this one.

PyOpenCL's wheels and programs of a conda environment find the driver by themselves. Any other program does with
    OCL_ICD_VENDORS=$(python -m upsweep_opencl) program        # ocl-icd, the loader of most distributions
    OCL_ICD_FILENAMES=$(python -m upsweep_opencl) program      # Khronos's loader
"""

import os
import sys

_FOLDER = os.path.dirname(os.path.abspath(__file__))


def driver() -> str:
    """The path of the driver, a shared object that any ICD loader can load."""
    return os.path.join(_FOLDER, "lib", "libupsweep-opencl.so")


def compiler() -> str:
    """The path of upsweepc, which compiles OpenCL C offline and which the driver starts."""
    return os.path.join(_FOLDER, "bin", "upsweepc")


def main() -> None:
    """The command `upsweep`: replaces this process with the program of that name."""
    program = os.path.join(_FOLDER, "bin", "upsweep")
    os.execv(program, ["upsweep", *sys.argv[1:]])
