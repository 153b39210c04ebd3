#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the Debian packages libupsweep-opencl1, upsweep-tools and upsweep-dev of the products of a build, by dpkg-deb."""

import email.utils
import gzip
import hashlib
import os
import pathlib
import re
import shutil
import string
import subprocess
import tempfile

import common
import elf

SOURCES = common.ROOT / "packaging/deb"
MAINTAINER = f"{os.environ.get('DEBFULLNAME', 'The Upsweep developers')} <{os.environ.get('DEBEMAIL', 'upsweep@localhost')}>"
NOTICE = """Copyright © 2026 the Upsweep developers
Licence: Apache-2.0 WITH LLVM-exception. The Apache License, Version 2.0, is in /usr/share/common-licenses/Apache-2.0; the exceptions are:

"""
PRIVATE = "usr/lib/x86_64-linux-gnu/upsweep"  # not the linker's folder, since an ICD is loaded by its path
# The Debian package of each library that a product may need, from the version of the needed symbols.
PROVIDERS = {"GLIBC": "libc6", "GCC": "libgcc-s1"}


def driver_files(root: pathlib.Path, products: pathlib.Path) -> None:
    (root / PRIVATE).mkdir(parents=True)
    shutil.copy(products / "lib/libupsweep-opencl.so", root / PRIVATE)
    shutil.copy(products / "bin/upsweepc", root / PRIVATE)  # beside the driver, which looks for it there
    (root / "etc/OpenCL/vendors").mkdir(parents=True)
    (root / "etc/OpenCL/vendors/upsweep.icd").write_text(f"/{PRIVATE}/libupsweep-opencl.so\n")


def tool_files(root: pathlib.Path, products: pathlib.Path) -> None:
    (root / "usr/bin").mkdir(parents=True)
    (root / "usr/libexec/upsweep").mkdir(parents=True)
    commands = [shutil.copy(products / "bin/upsweep", root / "usr/bin"),
                shutil.copy(products / "libexec/upsweep/upsweep-bench", root / "usr/libexec/upsweep")]
    # The path names a folder that only the wheel contains.
    (root.parent / "remove.cmake").write_text("".join(f'file(RPATH_REMOVE FILE "{command}")\n' for command in commands))
    subprocess.run(["cmake", "-P", root.parent / "remove.cmake"], check=True)
    (root / "usr/bin/upsweepc").symlink_to(f"../{PRIVATE.removeprefix('usr/')}/upsweepc")
    share = root / "usr/share"
    manuals = share / "man/man1"
    manuals.mkdir(parents=True)
    for page in (products / "share/man/man1").glob("*.1"):
        (manuals / f"{page.name}.gz").write_bytes(gzip.compress(page.read_bytes(), 9, mtime=0))
    # Debian's zsh looks for completions of packages in a folder of its own.
    for folder, target in [("bash-completion/completions",) * 2, ("fish/vendor_completions.d",) * 2, ("zsh/site-functions", "zsh/vendor-completions")]:
        shutil.copytree(products / "share" / folder, share / target)


def header_files(root: pathlib.Path, build: pathlib.Path) -> None:
    for library in ["cuda", "cpu", "opencl"]:
        common.stage(build, root / "usr", library)


def libraries(files: list[pathlib.Path]) -> str:
    """The dependencies on Debian's packages, from the versions of symbols."""
    found = []
    for prefix, package in PROVIDERS.items():
        versions = [version for file in files for version in elf.symbol_versions(file, prefix)]
        if versions:
            found.append(f"{package} (>= {'.'.join(map(str, max(versions)))})")
    return ", ".join(found)


def documents(root: pathlib.Path, package: str, version: str, products: set[str]) -> None:
    """The licences, the changelogs of this package and the project, and lintian's overrides."""
    folder = root / f"usr/share/doc/{package}"
    folder.mkdir(parents=True)
    # Debian's systems have the licence, and policy 12.5 requires its name.
    exceptions = re.search(r"^-+ LLVM Exceptions.*", (common.ROOT / "LICENSE").read_text(), re.S | re.M)
    assert exceptions, "LICENSE has no LLVM exceptions"
    (folder / "copyright").write_text(NOTICE + exceptions[0] + ("\n" + common.licences(products) if products else ""))
    entry = (f"upsweep ({version}) unstable; urgency=medium\n\n  * Upstream release; its changes are in changelog.gz.\n\n"
             f" -- {MAINTAINER}  {email.utils.formatdate(common.epoch())}\n")
    (folder / "changelog.Debian.gz").write_bytes(gzip.compress(entry.encode(), 9, mtime=0))
    (folder / "changelog.gz").write_bytes(gzip.compress((common.ROOT / "CHANGELOG.md").read_bytes(), 9, mtime=0))
    lines = (SOURCES / "overrides").read_text().splitlines()
    chosen = [line for index, line in enumerate(lines) if line.startswith(f"{package}:") or (
        line.startswith("#") and any(each.startswith(f"{package}:") for each in paragraph(lines, index)))]
    (root / "usr/share/lintian/overrides").mkdir(parents=True)
    (root / f"usr/share/lintian/overrides/{package}").write_text("\n".join(chosen) + "\n")


def paragraph(lines: list[str], index: int) -> list[str]:
    """The overrides to which the comment in this line applies."""
    found = []
    for line in lines[index + 1:]:
        if line.startswith("#") and found:
            break
        found.append(line)
    return found


def is_program(path: pathlib.Path) -> bool:
    """Whether a file of a package can be executed."""
    return path.parent.name == "bin" or (path.parent.name, path.name) in [("upsweep", "upsweepc"), ("upsweep", "upsweep-bench")]


def make(root: pathlib.Path, control: str, out: pathlib.Path, compression: list[str]) -> pathlib.Path:
    """Writes the control files of a package's tree and archives it."""
    files = sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    size = sum(-(-path.stat().st_size // 1024) for path in files) + len(list(root.rglob("*")))
    sums = "".join(f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(root)}\n" for path in files)
    first, rest = control.split("\n", 1)
    fields = dict(re.findall(r"^(\w+): (.*)$", control, re.M))
    folder = root / "DEBIAN"
    folder.mkdir()
    (folder / "control").write_text(f"{first}\nSource: upsweep\nMaintainer: {MAINTAINER}\nInstalled-Size: {size}\nPriority: optional\n{rest}\n")
    (folder / "md5sums").write_text(sums)
    if settings := [f"/{path.relative_to(root)}\n" for path in files if path.relative_to(root).parts[0] == "etc"]:
        (folder / "conffiles").write_text("".join(settings))
    for path in [root, *root.rglob("*")]:
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or is_program(path) else 0o644)
        os.utime(path, (common.epoch(), common.epoch()), follow_symlinks=False)
    path = out / f"{fields['Package']}_{fields['Version']}_{fields['Architecture']}.deb"
    subprocess.run(["dpkg-deb", "--root-owner-group", *compression, "--build", root, path], check=True, stdout=subprocess.DEVNULL,
                   env=os.environ | {"SOURCE_DATE_EPOCH": str(common.epoch())})
    return path


def main() -> None:
    parser = common.arguments(__doc__)
    parser.add_argument("--revision", default="1", help="of the packages, after the version")
    parser.add_argument("--fast", action="store_true", help="compress little, as tests do")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    version = f"{common.version()}-{options.revision}"
    work = pathlib.Path(tempfile.mkdtemp())
    os.umask(0o022)
    try:
        products = common.stage_products(options.build, work / "products")
        for control in (SOURCES / "control").read_text().strip().split("\n\n"):
            package = control.split("\n")[0].removeprefix("Package: ")
            root = work / package
            root.mkdir()
            fill = {"libupsweep-opencl1": driver_files, "upsweep-tools": tool_files}.get(package)
            fill(root, products) if fill else header_files(root, options.build)
            binaries = [path for path in root.rglob("*") if path.is_file() and path.read_bytes()[:4] == b"\x7fELF" and not path.is_symlink()]
            documents(root, package, version, {path.name for path in binaries})
            filled = string.Template(control).substitute(version=version, libraries=libraries(binaries))
            first, rest = filled.split("\n", 1)
            print(make(root, f"{first}\nVersion: {version}\n{rest}", options.out, ["-Zgzip", "-z1"] if options.fast else ["-Zxz", "-z9"]))
    finally:
        shutil.rmtree(work)


if __name__ == "__main__":
    main()
