# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Debian packages: reproducible, accepted by lintian, and installed, used, upgraded and purged in a bare root folder."""

import os
import pathlib
import shutil
import subprocess
import sys

from support import ROOT, main, run, skip, tree

import common

PACKAGES = ["libupsweep-opencl1", "upsweep-dev", "upsweep-tools"]


def make(build, out, revision) -> list[pathlib.Path]:
    run(sys.executable, ROOT / "packaging/deb.py", "--build", build, "--out", out, "--fast", "--revision", revision)
    return sorted(out.glob("*.deb"))


def made(build, revision) -> list[pathlib.Path]:
    return sorted((build / f"test-packages/deb{revision}").glob("*.deb"))


def scan_program(folder) -> pathlib.Path:
    run("clang-19", "-O1", "-Wall", ROOT / "tests/package/scan_icd.c", "-o", folder / "scan_icd", "-lOpenCL")
    return folder / "scan_icd"


def contents(build, scratch):
    """Makes the packages for the other cases, in two revisions. A second build has the same bits, and lintian accepts them."""
    for revision in [1, 2]:
        shutil.rmtree(build / f"test-packages/deb{revision}", ignore_errors=True)
        make(build, build / f"test-packages/deb{revision}", revision)
    again = make(build, scratch, 1)
    assert [path.name.split("_")[0] for path in again] == PACKAGES
    assert [path.read_bytes() for path in again] == [path.read_bytes() for path in made(build, 1)]
    for path in again:
        assert run("dpkg-deb", "-f", path, "Version").strip() == f"{common.version()}-1"
    assert "opencl-icd" in run("dpkg-deb", "-f", again[0], "Provides")
    listed = {line.split()[-1]: line.split()[0] for line in run("dpkg-deb", "-c", again[2]).splitlines()}
    for name in ["man/man1/upsweep.1.gz", "man/man1/upsweep-scan.1.gz", "man/man1/upsweepc.1.gz", "bash-completion/completions/upsweep",
                 "bash-completion/completions/upsweepc", "zsh/vendor-completions/_upsweep", "fish/vendor_completions.d/upsweep.fish"]:
        assert listed[f"./usr/share/{name}"] == "-rw-r--r--", name


def lintian(build, scratch):
    """No errors or warnings except those in packaging/deb/overrides, each with a reason, and no override without its
    warning."""
    if not shutil.which("lintian"):
        skip("lintian is not installed")
    options = ["--allow-root"] if os.geteuid() == 0 else []
    said = run("lintian", *options, "--display-info", "--fail-on", "error,warning", *made(build, 1))
    assert "unused-override" not in said, said


def bare_root(root):
    """A root folder with only the packages on which ours depend, as far as the host has them, with dpkg's records of them."""
    records = root / "var/lib/dpkg"
    for folder in ["info", "updates", "triggers"]:
        (records / folder).mkdir(parents=True)
    needed = ["libc6", "libgcc-s1", "gcc-12-base", "ocl-icd-libopencl1"]
    status = subprocess.run(["dpkg-query", "-s", *needed], capture_output=True, text=True).stdout
    (records / "status").write_text("".join(line for line in status.splitlines(keepends=True)))
    for file in subprocess.run(["dpkg-query", "-L", *needed], capture_output=True, text=True).stdout.split():
        # Debian's folders /lib and /lib64 are links to those in /usr.
        target = root / os.path.join(os.path.realpath(os.path.dirname(file)), os.path.basename(file)).lstrip("/")
        if not os.path.isdir(file) and ".so" in file and os.path.exists(file):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, target)
    for name in ["lib", "lib64"]:
        if os.path.islink(f"/{name}"):
            (root / name).symlink_to(f"usr/{name}")
            (root / f"usr/{name}").mkdir(parents=True, exist_ok=True)
    for folder in ["dev", "proc", "tmp", "packages"]:
        (root / folder).mkdir()


def dpkg(root, *arguments):
    return run("dpkg", "--force-not-root", f"--root={root}", "--log=/dev/null", *arguments)


def install(build, scratch):
    """dpkg installs the packages into a root folder that has only the libraries on which they depend, without a network."""
    if os.geteuid() != 0:
        skip("only root can change the root folder")
    if "ii" not in run("dpkg-query", "-W", "-f", "${db:Status-Abbrev}", "libc6", "gcc-12-base", check=False):
        skip("this is not Debian 12, whose libraries make the bare root folder")
    root = scratch / "root"
    bare_root(root)
    scan_program(root / "packages")
    before = tree(root)
    enter = 'mount --rbind /dev "$1/dev" && mount -t proc none "$1/proc" && exec chroot "$@"'
    if "mount:" in (said := run("unshare", "-m", "sh", "-c", 'mount -t tmpfs none "$1"', "sh", root / "tmp", check=False)):
        skip(f"no mounts here: {said.strip()}")
    for revision in [1, 2]:
        dpkg(root, "--install", *made(build, revision))
        assert "upsweep" not in dpkg(root, "--audit")
        for word, *command in [("Upsweep", "/packages/scan_icd"), ("Upsweep", "/usr/bin/upsweep", "info", "--device", "cpu"),
                               ("--emit=", "/usr/bin/upsweepc", "--help")]:
            said = run("unshare", "-m", "sh", "-c", enter, "sh", root, *command, variables={"HOME": "/"})
            assert word in said, said
    shutil.rmtree(root / ".cache", ignore_errors=True)  # of the programs that ran, by the home folder
    dpkg(root, "--purge", *PACKAGES)
    after = {each for each in tree(root) if not each.startswith("var/")}
    assert after == {each for each in before if not each.startswith("var/")}, after ^ before
    assert "upsweep" not in (root / "var/lib/dpkg/status").read_text()


def debian(build, scratch):
    """Installs in a bare Debian of the same release by apt, which resolves the dependencies."""
    if not shutil.which("mmdebstrap"):
        skip("mmdebstrap is not installed")
    if not os.environ.get("UPSWEEP_LONG_TESTS"):
        skip("it takes a minute, and the network: UPSWEEP_LONG_TESTS=1 runs it")
    if os.geteuid() != 0:
        skip("only root can change the root folder")
    name = dict(line.split("=", 1) for line in open("/etc/os-release").read().splitlines() if "=" in line)["VERSION_CODENAME"]
    packages = scratch / "packages"
    packages.mkdir()
    for revision in [1, 2]:
        shutil.copytree(build / f"test-packages/deb{revision}", packages / str(revision))
    scan_program(packages)
    shutil.copy(ROOT / "tests/package/deb_scenario.sh", packages)
    sources = [path for path in ["/etc/apt/sources.list.d/debian.sources", "/etc/apt/sources.list"] if os.path.exists(path)][:1]
    command = ["mmdebstrap", "--mode=root", "--variant=apt", "--aptopt=Acquire::Retries \"0\"", "--aptopt=Acquire::http::Timeout \"10\"",
               f"--customize-hook=copy-in {packages} /", "--customize-hook=chroot \"$1\" sh /packages/deb_scenario.sh",
               name, "/dev/null", *sources]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"TMPDIR": str(scratch)})
    said = done.stdout + done.stderr
    if done.returncode != 0 and "deb_scenario.sh" not in said:
        skip(f"no bare Debian can be had here: {said.strip().splitlines()[-1]}")
    assert done.returncode == 0 and "done\n" in said, said
    for revision in [1, 2]:
        for package in PACKAGES:
            assert f"{package} {common.version()}-{revision} installed" in said, said


def container(build, scratch):
    """The steps of packaging/container/Dockerfile in a bare Debian of mmdebstrap, since machines often lack a container
    engine."""
    lines = (ROOT / "packaging/container/Dockerfile").read_text().replace("\\\n", " ").splitlines()
    steps = [line.split(" ", 1) for line in lines if line and not line.startswith("#")]
    assert [step[0] for step in steps] == ["FROM", "COPY", "RUN", "COPY", "ENV", "CMD"], steps
    if not shutil.which("mmdebstrap"):
        skip("mmdebstrap is not installed")
    if not os.environ.get("UPSWEEP_LONG_TESTS"):
        skip("it takes a minute, and the network: UPSWEEP_LONG_TESTS=1 runs it")
    if os.geteuid() != 0:
        skip("only root can change the root folder")
    (scratch / "packages").mkdir()
    for path in made(build, 1):
        shutil.copy(path, scratch / "packages")
    hooks = []
    for verb, arguments in steps:
        if verb == "COPY":
            source, target = arguments.split()
            if source == "build/packages/*.deb":
                hooks.append(f"copy-in {scratch / 'packages'} /")
            else:
                hooks += [f"mkdir -p \"$1{os.path.dirname(target)}\"", f"upload {ROOT / source} {target}"]
        elif verb in ("RUN", "CMD"):
            hooks.append(f"chroot \"$1\" sh -ec '{arguments.replace(' && rm -rf /packages /var/lib/apt/lists/*', '')}'")
    sources = [path for path in ["/etc/apt/sources.list.d/debian.sources", "/etc/apt/sources.list"] if os.path.exists(path)][:1]
    release = steps[0][1].removeprefix("debian:").removesuffix("-slim")
    name = {"12": "bookworm", "13": "trixie"}[release]
    command = ["mmdebstrap", "--mode=root", "--variant=apt", "--aptopt=Acquire::Retries \"0\"", "--aptopt=Acquire::http::Timeout \"10\"",
               *(f"--customize-hook={hook}" for hook in hooks), name, "/dev/null", *sources]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"TMPDIR": str(scratch)})
    said = done.stdout + done.stderr
    if done.returncode != 0 and "libupsweep-opencl1" not in said:
        skip(f"no bare Debian can be had here: {said.strip().splitlines()[-1]}")
    assert done.returncode == 0 and "out = 0 1 3 6 10 15 21 28" in said and "Upsweep" in said, said[-3000:]


main({each.__name__: each for each in [contents, lintian, install, debian, container]})
