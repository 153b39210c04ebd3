#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the wheel upsweep-opencl from a build's products; docs/packages.md lists its files, with reasons."""

import base64
import hashlib
import pathlib
import shutil
import subprocess
import tempfile
import time
import zipfile

import common
import elf

NAME = "upsweep_opencl"
# ocl-icd passes the line to dlopen(), which replaces $ORIGIN by the folder of its caller, the loader.
BESIDE_LOADER = "$ORIGIN/libupsweep-opencl.so\n"
FROM_PYOPENCL = f"$ORIGIN/../../{NAME}/lib/libupsweep-opencl.so\n"  # of pyopencl/.libs/libOpenCL-*.so
TERMINAL = {"upsweep.1", "upsweep", "_upsweep", "upsweep.fish"}  # beside the pages upsweep-VERB.1
IN_PREFIX = "libupsweep-opencl-prefix.so\n"  # next to $CONDA_PREFIX/lib/libOpenCL.so.1, which searches its own folder

METADATA = """\
Metadata-Version: 2.4
Name: upsweep-opencl
Version: {version}
Summary: {summary}
License-Expression: Apache-2.0 WITH LLVM-exception
License-File: LICENSE
License-File: LINKED.txt
Keywords: opencl,driver,gpu,scan,prefix-sum
Classifier: Environment :: GPU
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
Requires-Python: >=3.8
Description-Content-Type: text/markdown

{description}"""

WHEEL = """\
Wheel-Version: 1.0
Generator: upsweep ({version})
Root-Is-Purelib: false
Tag: py3-none-{platform}
"""


def loader() -> pathlib.Path:
    """The ICD loader in the wheel, for the command upsweep: Debian's build of ocl-icd."""
    listed = subprocess.run(["dpkg-query", "-L", "ocl-icd-libopencl1"], check=True, capture_output=True, text=True).stdout
    return pathlib.Path(next(line for line in listed.splitlines() if line.endswith("/libOpenCL.so.1"))).resolve()


def prefix_driver(folder: pathlib.Path) -> pathlib.Path:
    """Compiles prefix_driver.c."""
    out = folder / IN_PREFIX.strip()
    subprocess.run(["clang-19", "-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-Wall", "-Werror", "-fuse-ld=lld",
                    "-Wl,--strip-all", "-Wl,-z,nodelete", f"-Wl,-soname,{out.name}", common.ROOT / "packaging/wheel/prefix_driver.c",
                    "-o", out], check=True)
    return out


def contents(products: pathlib.Path, work: pathlib.Path, version: str) -> dict[str, tuple[bytes, bool]]:
    """The wheel's files except the record: a map from names to bytes and whether the file is a program."""
    sources = common.ROOT / "packaging/wheel"
    info, data = f"{NAME}-{version}.dist-info", f"{NAME}-{version}.data/data"
    binaries = {f"{NAME}/bin/upsweepc": products / "bin/upsweepc", f"{NAME}/bin/upsweep": products / "bin/upsweep",
                f"{NAME}/libexec/upsweep/upsweep-bench": products / "libexec/upsweep/upsweep-bench",
                f"{NAME}/lib/libupsweep-opencl.so": products / "lib/libupsweep-opencl.so",
                f"{NAME}/lib/libOpenCL.so.1": loader(), f"{data}/lib/{IN_PREFIX.strip()}": prefix_driver(work)}
    files = {name: (path.read_bytes(), True) for name, path in binaries.items()}
    texts = {f"{NAME}/{path.name}": path.read_text() for path in (sources / NAME).glob("*.py")}
    texts |= {f"{NAME}/etc/OpenCL/vendors/upsweep.icd": BESIDE_LOADER, "pyopencl/.libs/upsweep.icd": FROM_PYOPENCL,
              f"{data}/etc/OpenCL/vendors/upsweep.icd": IN_PREFIX}
    # The environment's folder of programs has `upsweep` alone, so the pages of upsweepc stay away.
    texts |= {f"{data}/{path.relative_to(products)}": path.read_text()
              for path in (products / "share").rglob("*") if path.is_file() and (path.name in TERMINAL or path.name.startswith("upsweep-"))}
    platform = elf.manylinux_tag(list(binaries.values()), {"libOpenCL.so.1"})
    description = (sources / "README.md").read_text()
    texts |= {f"{info}/METADATA": METADATA.format(version=version, summary=common.SUMMARY, description=description),
              f"{info}/WHEEL": WHEEL.format(version=version, platform=platform),
              f"{info}/entry_points.txt": f"[console_scripts]\nupsweep = {NAME}:main\n",
              f"{info}/licenses/LICENSE": (common.ROOT / "LICENSE").read_text(),
              f"{info}/licenses/LINKED.txt": common.licences({path.name for path in products.glob("*/*")} | {"libOpenCL.so.1"})}
    return files | {name: (text.encode(), False) for name, text in texts.items()}


def write(files: dict[str, tuple[bytes, bool]], out: pathlib.Path, name: str, version: str, level: int) -> pathlib.Path:
    """Writes the archive: sorted, with the metadata last, as PEP 427 recommends, one time stamp and fixed rights."""
    info = f"{name}-{version}.dist-info/"
    record = "".join(f"{file},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}\n"
                     for file, (data, _) in sorted(files.items())) + f"{info}RECORD,,\n"
    platform = files[f"{info}WHEEL"][0].decode().rsplit("Tag: ", 1)[1].strip()
    path = out / f"{name}-{version}-{platform}.whl"
    moment = time.gmtime(common.epoch())[:6]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as archive:
        for file, (data, program) in sorted((files | {f"{info}RECORD": (record.encode(), False)}).items(),
                                            key=lambda item: (item[0].startswith(info), item[0])):
            entry = zipfile.ZipInfo(file, moment)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix, whose rights follow
            entry.external_attr = (0o100755 if program else 0o100644) << 16
            archive.writestr(entry, data, compresslevel=level)
    return path


def main() -> None:
    parser = common.arguments(__doc__)
    parser.add_argument("--level", type=int, default=9, help="of compression, 1 to 9; tests take 1")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    work = pathlib.Path(tempfile.mkdtemp())
    try:
        products = common.stage_products(options.build, work / "products")
        version = common.version()
        print(write(contents(products, work, version), options.out, NAME, version, options.level))
    finally:
        shutil.rmtree(work)


if __name__ == "__main__":
    main()
