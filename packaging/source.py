#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes two archives of sources: the whole last commit, for FetchContent, and the headers, with the port for vcpkg and the recipe for Conan
that use them."""

import gzip
import hashlib
import io
import pathlib
import subprocess
import tarfile

import common

# The headers' archive: enough for `cmake -DUPSWEEP_HEADERS_ONLY=ON`.
HEADERS = ["CHANGELOG.md", "CMakeLists.txt", "LICENSE", "README.md", "cmake", "include"]


def archive(name: str, paths: list[str], out: pathlib.Path) -> pathlib.Path:
    """A .tar.gz of committed files below one folder. git sorts them, and gives all the commit's time."""
    tar = subprocess.run(["git", "-C", common.ROOT, "archive", "--format=tar", f"--prefix={name}/", "HEAD", *paths], check=True,
                         capture_output=True).stdout
    path = out / f"{name}.tar.gz"
    path.write_bytes(gzip.compress(tar, 9, mtime=0))
    return path


def filled(file: pathlib.Path, values: dict[str, str]) -> bytes:
    """A template with its @NAMES@ replaced."""
    text = file.read_text()
    for name, value in values.items():
        text = text.replace(f"@{name}@", value)
    return text.encode()


def recipes(headers: pathlib.Path, version: str, out: pathlib.Path) -> pathlib.Path:
    """The port and the recipe, with the name and checksums of the archive of headers next to them."""
    data = headers.read_bytes()
    values = {"VERSION": version, "ARCHIVE": headers.name, "SHA256": hashlib.sha256(data).hexdigest(), "SHA512": hashlib.sha512(data).hexdigest()}
    path = out / f"upsweep-recipes-{version}.tar.gz"
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for file in sorted((common.ROOT / "packaging/recipes").rglob("*")):
            if file.is_file():
                content = filled(file, values)
                entry = tarfile.TarInfo(str(file.relative_to(common.ROOT / "packaging/recipes")))
                entry.size, entry.mtime, entry.mode = len(content), common.epoch(), 0o644
                tar.addfile(entry, io.BytesIO(content))
    path.write_bytes(gzip.compress(buffer.getvalue(), 9, mtime=0))
    return path


def main() -> None:
    parser = common.arguments(__doc__)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    version = common.version()
    print(archive(f"upsweep-{version}", [], options.out))
    headers = archive(f"upsweep-headers-{version}", HEADERS, options.out)
    print(headers)
    print(recipes(headers, version, options.out))


if __name__ == "__main__":
    main()
