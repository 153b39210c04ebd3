#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the wheel of the Python module upsweep (docs/python.md), from --module or from a new build, with only the part for CPU
threads."""

import pathlib
import subprocess

import common
import elf
import wheel

NAME = "upsweep"
SUMMARY = "Scans, reductions, sorts and histograms of arrays on CPU threads and NVIDIA GPUs"

METADATA = """\
Metadata-Version: 2.4
Name: upsweep
Version: {version}
Summary: {summary}
License-Expression: Apache-2.0 WITH LLVM-exception
License-File: LICENSE
License-File: LINKED.txt
Keywords: scan,prefix-sum,cumsum,sort,numpy,gpu
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
Requires-Python: >=3.9
Requires-Dist: numpy>=1.22
Provides-Extra: dask
Requires-Dist: dask[array,distributed]>=2022.12; extra == "dask"
Provides-Extra: xarray
Requires-Dist: xarray>=2024.1; extra == "xarray"
Provides-Extra: mpi
Requires-Dist: mpi4py>=3.1; extra == "mpi"
Provides-Extra: torch
Requires-Dist: torch; extra == "torch"
Description-Content-Type: text/markdown

{description}"""


def build(folder: pathlib.Path) -> pathlib.Path:
    """Builds the module, and returns its folder."""
    subprocess.run(["cmake", "-G", "Ninja", "-S", common.ROOT / "python", "-B", folder, "-DCMAKE_BUILD_TYPE=Release",
                    "-DCMAKE_CXX_COMPILER=clang++-19"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", folder], check=True, stdout=subprocess.DEVNULL)
    return folder / "upsweep"


def stripped(library: pathlib.Path, work: pathlib.Path) -> pathlib.Path:
    """A copy without symbols for debuggers and linkers."""
    copy = work / library.name
    subprocess.run(["strip", "--strip-unneeded", "--remove-section=.comment", "-o", copy, library], check=True)
    return copy


def contents(module: pathlib.Path, work: pathlib.Path, version: str) -> dict[str, tuple[bytes, bool]]:
    """The wheel's files except the record: a map from names to bytes and whether the file is a program."""
    info = f"{NAME}-{version}.dist-info"
    libraries = [stripped(path, work) for path in sorted(module.glob("*.so"))]
    files = {f"{NAME}/{path.name}": (path.read_bytes(), True) for path in libraries}
    sources = common.ROOT / "python/upsweep"
    files |= {f"{NAME}/{path.name}": (path.read_bytes(), False) for pattern in ["*.py", "*.pyi", "py.typed"] for path in sources.glob(pattern)}
    files[f"{NAME}/_version.py"] = ((module / "_version.py").read_bytes(), False)
    texts = {f"{info}/METADATA": METADATA.format(version=version, summary=SUMMARY, description=(common.ROOT / "docs/python.md").read_text()),
             f"{info}/WHEEL": wheel.WHEEL.format(version=version, platform=elf.manylinux_tag(libraries, set())),
             f"{info}/licenses/LICENSE": (common.ROOT / "LICENSE").read_text(),
             f"{info}/licenses/LINKED.txt": common.licences({path.name for path in libraries})}
    return files | {name: (text.encode(), False) for name, text in texts.items()}


def main() -> None:
    parser = common.arguments(__doc__)
    parser.add_argument("--level", type=int, default=9, help="of compression, 1 to 9; tests take 1")
    parser.add_argument("--module", type=pathlib.Path, help="the folder `upsweep` of a build of python/")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    # Not in options.build / "python", where the build for tests has objects with fewer types and less optimisation.
    module = options.module or build(options.build / "python-package")
    with common.scratch() as work:
        version = common.version()
        print(wheel.write(contents(module, work, version), options.out, NAME, version, options.level))


if __name__ == "__main__":
    main()
