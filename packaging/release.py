#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a release in OUT/upsweep-VERSION: all packages, the changelog's section, the bill of materials, the licences, and SHA-256
checksums. The source is the tag vVERSION in a clean checkout, or with --dry-run any checkout."""

import hashlib
import pathlib
import re
import shutil
import subprocess
import sys

import common

KINDS = ["source", "sbom", "wheel", "deb", "python"]  # the quick ones first, since they find most errors


def git(*arguments: str) -> str:
    return subprocess.run(["git", "-C", common.ROOT, *arguments], check=True, capture_output=True, text=True).stdout.strip()


def problems(version: str) -> list[str]:
    """The reasons why this checkout cannot be released."""
    found = []
    if f"v{version}" not in git("tag", "--points-at", "HEAD").split():
        found.append(f"HEAD has no tag v{version}, the version that CMakeLists.txt says")
    if git("status", "--porcelain"):
        found.append("files are changed or not tracked")
    if not changes(version):
        found.append(f"CHANGELOG.md has no section '## {version}'")
    return found


def changes(title: str) -> str:
    """The changelog's section with a title, without the title; empty if there is none."""
    text = (common.ROOT / "CHANGELOG.md").read_text()
    found = re.search(rf"^## {re.escape(title)}\b.*?\n(.*?)(?=^## |\Z)", text, re.S | re.M)
    return found[1].strip() + "\n" if found else ""


def checksums(folder: pathlib.Path) -> None:
    """SHA256SUMS, in the format of sha256sum --check."""
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(folder.iterdir()) if path.name != "SHA256SUMS"]
    (folder / "SHA256SUMS").write_text("".join(lines))


def main() -> None:
    parser = common.arguments(__doc__)
    parser.add_argument("--dry-run", action="store_true", help="of what is checked out, tagged and clean or not")
    parser.add_argument("--kinds", nargs="*", default=KINDS, choices=KINDS, help="only these packages")
    options = parser.parse_args()
    version = common.version()
    if found := problems(version):
        for each in found:
            print(f"release: {each}", file=sys.stderr)
        if not options.dry_run:
            raise SystemExit("release: nothing was made; --dry-run makes the packages all the same")
    folder = options.out / f"upsweep-{version}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for kind in options.kinds:
        subprocess.run([sys.executable, common.ROOT / f"packaging/{kind}.py", "--build", options.build, "--out", folder], check=True)
    (folder / "CHANGES.md").write_text(changes(version) or changes("Unreleased"))
    everything = {name for row in common.parts() for name in row["in"]}
    (folder / "LINKED.txt").write_text(common.licences(everything))
    checksums(folder)
    print(folder)


if __name__ == "__main__":
    main()
