# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A release: reproducible, with valid checksums, a bill of materials that names linked parts, and recipes that work with
it."""

import json
import os
import shutil
import subprocess
import sys

from support import ROOT, main, run, skip

import common

QUICK = ["source", "sbom"]  # the wheels and the Debian packages test their reproducibility themselves


def release(out, *options, check=True) -> str:
    return run(sys.executable, "-B", ROOT / "packaging/release.py", "--out", out, "--kinds", *QUICK, *options, check=check)


def made(scratch):
    """A release's folder of the quick kinds."""
    if subprocess.run(["git", "-C", ROOT, "rev-parse", "HEAD"], capture_output=True).returncode != 0:
        skip("this is no git checkout, of whose commit a release is made")
    return scratch / f"upsweep-{common.version()}" if release(scratch, "--dry-run") else None


def contents(build, scratch):
    folder = made(scratch)
    again = made(scratch / "again")
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert files == {path.name: path.read_bytes() for path in again.iterdir()}
    run("sha256sum", "--check", "--strict", "SHA256SUMS", cwd=folder)
    assert len(files["SHA256SUMS"].splitlines()) == len(files) - 1
    assert b"Unreleased" not in files["CHANGES.md"] and files["CHANGES.md"].strip()
    assert b"LLVM" in files["LINKED.txt"] and b"xxHash" in files["LINKED.txt"]


def bill(build, scratch):
    """Each part of parts.json is a component with a version, a licence and a product that depends on it; references are whole."""
    document = json.loads((made(scratch) / f"upsweep-{common.version()}.cdx.json").read_text())
    assert (document["bomFormat"], document["specVersion"]) == ("CycloneDX", "1.5")
    components = {each["bom-ref"]: each for each in document["components"]}
    assert len(components) == len(document["components"])
    used = {name for each in document["dependencies"] for name in each["dependsOn"]}
    known = set(components) | {document["metadata"]["component"]["bom-ref"]}
    assert used <= known and {each["ref"] for each in document["dependencies"]} <= known
    for row in common.parts():
        part = components[row["package"]]
        assert part["version"] and part["licenses"] and row["package"] in used, part


def refusals(build, scratch):
    """Without a tag no release is made, and every reason is reported. No tag and no changelog has the clone's version."""
    clone, version = scratch / "clone", "987.6.5"
    if subprocess.run(["git", "clone", "-q", "--depth", "1", f"file://{ROOT}", clone], capture_output=True).returncode != 0:
        skip("this is no git checkout, of whose commit a release is made")
    project, changelog = clone / "CMakeLists.txt", clone / "CHANGELOG.md"
    project.write_text(project.read_text().replace(f"upsweep VERSION {common.version()}", f"upsweep VERSION {version}"))
    said = run(sys.executable, "-B", clone / "packaging/release.py", "--out", scratch / "out", "--kinds", "source", check=False)
    assert f"no tag v{version}" in said and "no section" in said and "not tracked" in said and "nothing was made" in said, said
    assert not (scratch / "out").exists()
    changelog.write_text(changelog.read_text().replace("## Unreleased", f"## {version} (2026-12-01)\n- A change.\n\n## Unreleased", 1))
    git = ["git", "-C", clone, "-c", "user.name=test", "-c", "user.email=test@localhost"]
    run(*git, "commit", "-q", "-a", "-m", "release")
    run(*git, "tag", f"v{version}")
    said = run(sys.executable, "-B", clone / "packaging/release.py", "--out", scratch / "out", "--kinds", "source")
    made_of = scratch / f"out/upsweep-{version}"
    assert (made_of / "SHA256SUMS").exists(), said
    assert (made_of / "CHANGES.md").read_text() == "- A change.\n"


def unpacked(scratch):
    """The release, with its recipes next to the archive that they use."""
    folder = made(scratch)
    run("tar", "-xzf", folder / f"upsweep-recipes-{common.version()}.tar.gz", "-C", folder)
    return folder


def headers(build, scratch):
    """The archive of headers suffices for CMake: the recipes' steps without their tools."""
    folder = unpacked(scratch)
    name = f"upsweep-headers-{common.version()}"
    run("tar", "-xzf", folder / f"{name}.tar.gz", "-C", scratch)
    run("cmake", "-S", scratch / name, "-B", scratch / "b", "-DUPSWEEP_HEADERS_ONLY=ON", variables={"CC": "/nonexistent", "CXX": "/nonexistent"})
    for library in ["cuda", "cpu", "opencl"]:
        run("cmake", "--install", scratch / "b", "--prefix", scratch / "prefix", "--component", library)
    consumer = ROOT / "tests/package/consumer"
    run("cmake", "-G", "Ninja", "-S", consumer, "-B", scratch / "c", f"-DCMAKE_PREFIX_PATH={scratch / 'prefix'}", "-DCMAKE_CXX_COMPILER=clang++-19",
        "-Dupsweep_components=cpu")
    port = json.loads((folder / "vcpkg/upsweep/vcpkg.json").read_text())
    assert port["name"] == "upsweep" and port["version"] == common.version()
    sha = run("sha512sum", folder / f"{name}.tar.gz").split()[0]
    assert sha in (folder / "vcpkg/upsweep/portfile.cmake").read_text() and "@" not in port["version"]


def vcpkg(build, scratch):
    """The port, as an overlay of vcpkg."""
    root = os.environ.get("VCPKG_ROOT")
    tool = shutil.which("vcpkg") or (root and os.path.join(root, "vcpkg"))
    if not tool:
        skip("there is no vcpkg here; package/release_headers does the port's steps")
    folder = unpacked(scratch)
    run(tool, "install", "upsweep", f"--overlay-ports={folder / 'vcpkg'}", f"--x-install-root={scratch / 'installed'}",
        variables={"UPSWEEP_RELEASE": str(folder), "VCPKG_KEEP_ENV_VARS": "UPSWEEP_RELEASE"} | ({"VCPKG_ROOT": root} if root else {}))
    assert list((scratch / "installed").rglob("upsweep/cpu/scan.h"))


def conan(build, scratch):
    """The recipe, in a cache of its own, and a project that uses it."""
    tool = shutil.which("conan")
    if not tool:
        if not os.environ.get("UPSWEEP_LONG_TESTS"):
            skip("there is no conan here, and installing it takes a minute: UPSWEEP_LONG_TESTS=1 does; package/release_headers does its steps")
        run(sys.executable, "-m", "venv", scratch / "environment", check=False)
        said = run(scratch / "environment/bin/pip", "install", "-q", "--retries", "0", "--timeout", "20", "conan", check=False)
        tool = scratch / "environment/bin/conan"
        if not tool.exists():
            skip(f"there is no conan here, and it cannot be installed: {said.strip().splitlines()[-1] if said.strip() else ''}")
    folder = unpacked(scratch)
    shutil.copy(folder / f"upsweep-headers-{common.version()}.tar.gz", folder / "conan")
    variables = {"CONAN_HOME": str(scratch / "home"), "CC": "clang-19", "CXX": "clang++-19"}
    run(tool, "profile", "detect", variables=variables)
    run(tool, "create", folder / "conan", variables=variables)
    run(tool, "install", f"--requires=upsweep/{common.version()}", "-g", "CMakeDeps", "-g", "CMakeToolchain", "-of", scratch / "of", variables=variables,
        cwd=scratch)  # vcpkg adds its presets to the project's; here are none
    consumer = ROOT / "tests/package/consumer"
    run("cmake", "-G", "Ninja", "-S", consumer, "-B", scratch / "c", f"-DCMAKE_TOOLCHAIN_FILE={scratch / 'of/conan_toolchain.cmake'}",
        "-DCMAKE_CXX_COMPILER=clang++-19", "-Dupsweep_components=cpu")
    run("ninja", "-C", scratch / "c")
    assert run(scratch / "c/consumer").strip() == str(sum(range(-5000, 5007)))


main({each.__name__: each for each in [contents, bill, refusals, headers, vcpkg, conan]})
