# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The wheel: its contents, and its use from a bare virtual environment, by any loader, also where it may not write."""

import base64
import ctypes
import hashlib
import os
import pathlib
import shutil
import sys
import zipfile

from support import ROOT, main, require_glibc_of_pages, run, skip, tree

import common
import elf

SITE = f"lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages"


def make(build, out) -> pathlib.Path:
    return pathlib.Path(run(sys.executable, ROOT / "packaging/wheel.py", "--build", build, "--out", out, "--level", 1).strip())


def wheel(build) -> pathlib.Path:
    return next((build / "test-packages/wheel").glob("*.whl"))


def installed(build) -> pathlib.Path:
    """A virtual environment with the wheel alone. The case `install` makes it for cases that do not change it."""
    return build / "test-packages/environment"


def environment(build, scratch, *packages) -> pathlib.Path:
    """A bare virtual environment with the wheel and further packages; the test is skipped if these are not available."""
    folder = scratch / "environment"
    if "No module named" in run(sys.executable, "-m", "venv", folder, check=False):
        skip("this Python has no venv")
    if not (folder / "bin/pip").exists():
        skip("this Python has no ensurepip")
    pip = [folder / "bin/pip", "--disable-pip-version-check", "install", "-q"]
    run(*pip, "--no-index", "--no-deps", wheel(build))
    for package in packages:
        # pip gets the caller's variables, such as the proxy's, and gives up soon without a network.
        said = run(*pip, "--retries", 0, "--timeout", 20, package, check=False, variables=dict(os.environ))
        if not any((folder / SITE / package).glob("*.py")):
            skip(f"pip cannot install {package} here: {said.strip().splitlines()[-1] if said.strip() else 'it says nothing'}")
    return folder


def scan_program(scratch, loader="-lOpenCL") -> pathlib.Path:
    program = scratch / "scan_icd"
    run("clang-19", "-O1", "-Wall", ROOT / "tests/package/scan_icd.c", "-o", program, loader)
    return program


def contents(build, scratch):
    """The archive follows the specification of wheels, contains the licences of the linked parts, and is reproducible."""
    shutil.rmtree(build / "test-packages/wheel", ignore_errors=True)
    path = make(build, build / "test-packages/wheel")
    assert make(build, scratch).read_bytes() == path.read_bytes(), "two wheels of the same build differ"
    archive = zipfile.ZipFile(path)
    info = f"upsweep_opencl-{common.version()}.dist-info"
    recorded = dict(line.rsplit(",", 2)[:2] for line in archive.read(f"{info}/RECORD").decode().splitlines())
    assert set(recorded) == set(archive.namelist())
    for name, digest in recorded.items():
        own = base64.urlsafe_b64encode(hashlib.sha256(archive.read(name)).digest()).rstrip(b"=").decode()
        assert name.endswith("/RECORD") or digest == f"sha256={own}", name
    assert f"Version: {common.version()}\n" in archive.read(f"{info}/METADATA").decode()
    share = f"upsweep_opencl-{common.version()}.data/data/share"
    for name in ["man/man1/upsweep.1", "man/man1/upsweep-scan.1", "bash-completion/completions/upsweep", "zsh/site-functions/_upsweep",
                 "fish/vendor_completions.d/upsweep.fish"]:
        assert f"{share}/{name}" in recorded, name
    assert not [name for name in recorded if "/share/" in name and "upsweepc" in name]
    linked = archive.read(f"{info}/licenses/LINKED.txt").decode()
    for word in ["LLVM Exceptions to the Apache 2.0 License", "Permission is hereby granted", "Redistribution and use", "Zlib"]:
        assert word in linked, word
    tag = archive.read(f"{info}/WHEEL").decode().split("Tag: ")[1].strip()
    assert path.name.endswith(f"-{tag}.whl")
    archive.extractall(scratch / "files")
    promised = tuple(map(int, tag.split("manylinux_")[1].split("_")[:2]))
    require_glibc_of_pages(promised)
    for file in [each for each in (scratch / "files").rglob("*") if each.is_file() and each.read_bytes()[:4] == b"\x7fELF"]:
        assert elf.needed(file) <= elf.SYSTEM | {"libOpenCL.so.1"}, file
        assert all(each <= promised for each in elf.symbol_versions(file, "GLIBC")), file
        assert str(ROOT).encode() not in file.read_bytes(), f"{file.name} names the folder that it was built in"


def install(build, scratch):
    """Installs the wheel once for the cases that only use it."""
    shutil.rmtree(installed(build), ignore_errors=True)
    environment(build, build / "test-packages")


def loader(build, scratch):
    """pyopencl/.libs/upsweep.icd, by the system's loader in place of PyOpenCL's, together with PoCL if it is installed."""
    site = scratch / "site"
    run("cp", "-al", installed(build) / SITE, site)  # links, since nothing in the files changes
    library = site / "upsweep_opencl/lib/libOpenCL.so.1"
    shutil.copy(library, site / "pyopencl/.libs/libOpenCL.so.1")
    program = scan_program(scratch, library)
    variables = {"LD_LIBRARY_PATH": str(site / "pyopencl/.libs"), "OCL_ICD_VENDORS": str(site / "pyopencl/.libs")}
    assert run(program, variables=variables, cwd="/").split() == ["Upsweep"]
    pocl = list(pathlib.Path("/etc/OpenCL/vendors").glob("pocl*.icd"))
    if pocl:
        shutil.copy(pocl[0], site / "pyopencl/.libs")
        names = run(program, variables=variables, cwd="/").split("\n")
        assert sorted(names)[1:] == ["Portable Computing Language", "Upsweep"], names


def prefix(build, scratch):
    """$PREFIX/etc/OpenCL/vendors of a conda environment: its loader finds libraries beside itself, by its run path."""
    folder = scratch / "environment"
    run("cp", "-al", installed(build), folder)
    line = (folder / "etc/OpenCL/vendors/upsweep.icd").read_text()
    assert line == "libupsweep-opencl-prefix.so\n"
    (scratch / "loader.c").write_text("#include <dlfcn.h>\nvoid *load(const char *name) { return dlopen(name, RTLD_NOW); }\n")
    run("clang-19", "-shared", "-fPIC", scratch / "loader.c", "-o", folder / "lib/libloader.so", "-Wl,-rpath,$ORIGIN/.")
    stand_in = ctypes.CDLL(folder / "lib/libloader.so")
    stand_in.load.restype = ctypes.c_void_p
    handle = stand_in.load(line.strip().encode())
    assert handle, "the library is not found"
    count, driver = ctypes.c_uint(), ctypes.CDLL(None, handle=handle)
    driver.clGetExtensionFunctionAddress.restype = ctypes.c_void_p
    function = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint, ctypes.c_void_p, ctypes.c_void_p)
    find = function(driver.clGetExtensionFunctionAddress(b"clIcdGetPlatformIDsKHR"))
    assert find(0, None, ctypes.addressof(count)) == 0 and count.value == 1
    assert driver.clIcdGetPlatformIDsKHR(0, None, ctypes.byref(count)) == 0
    platform, name = ctypes.c_void_p(), ctypes.create_string_buffer(32)
    assert driver.clIcdGetPlatformIDsKHR(1, ctypes.byref(platform), None) == 0
    assert driver.clGetPlatformInfo(platform, 0x0902, ctypes.c_size_t(32), name, None) == 0 and name.value == b"Upsweep"  # CL_PLATFORM_NAME


def command(build, scratch):
    """The command, and the module's path for other programs; nothing is left afterwards."""
    run(sys.executable, "-m", "venv", scratch / "environment", check=False)
    before = tree(scratch / "environment")
    folder = environment(build, scratch)
    assert "Upsweep" in run(folder / "bin/upsweep", "info", "--device", "cpu")
    out = run(folder / "bin/upsweep", "run", ROOT / "examples/scan.cl", "--global", 8, "--local", 8, "--arg", "range:int:8", "--arg",
              "zeros:int:8", "--print", "out", cwd="/", variables={"UPSWEEP_CACHE": "0"})
    assert "out = 0 1 3 6 10 15 21 28" in out, out
    driver = run(folder / "bin/python", "-m", "upsweep_opencl").strip()
    assert run(scan_program(scratch), variables={"OCL_ICD_VENDORS": driver}).split() == ["Upsweep"]
    run(folder / "bin/pip", "uninstall", "-q", "-y", "upsweep-opencl")
    assert tree(folder) == before, tree(folder) ^ before


def read_only(build, scratch):
    """No folder is writable, the home folder does not exist, and the user is nobody."""
    folder = installed(build)
    program = scan_program(scratch)
    if os.geteuid() != 0:
        skip("only root can mount the file system read-only")
    script = """mount -o bind,ro "$1" "$1" && mount -o remount,bind,ro / && shift || exit
                if mkdir /nonexistent 2>/dev/null; then echo 'mount: / can be written'; rmdir /nonexistent; else exec "$@"; fi"""
    out = run("unshare", "-m", "sh", "-c", script, "sh", build, program, check=False,
              variables={"OCL_ICD_VENDORS": str(folder / SITE / "upsweep_opencl/lib/libupsweep-opencl.so"), "HOME": "/nonexistent"})
    if "unshare" in out or "mount:" in out:
        skip(f"no mounts here: {out.strip()}")
    assert out.split() == ["Upsweep"], out


def noexec(build, scratch):
    """Temporary folders and the home folder are mounted so that nothing in them is executed."""
    folder = installed(build)
    program = scan_program(scratch)
    if os.geteuid() != 0:
        skip("only root can mount")
    if any(build.is_relative_to(each) for each in ["/tmp", "/var/tmp", "/dev/shm"]):
        skip("the build folder is in a temporary folder, which the test hides")
    script = 'for each in /tmp /var/tmp /dev/shm; do mount -t tmpfs -o noexec none $each || exit; done; mkdir /tmp/home; exec "$@"'
    out = run("unshare", "-m", "sh", "-c", script, "sh", program, check=False,
              variables={"OCL_ICD_VENDORS": str(folder / SITE / "upsweep_opencl/lib/libupsweep-opencl.so"), "HOME": "/tmp/home"})
    if "unshare" in out or "mount:" in out:
        skip(f"no mounts here: {out.strip()}")
    assert out.split() == ["Upsweep"], out


def pyopencl(build, scratch):
    """PyOpenCL's own wheel, with its own loader, and no variable."""
    folder = environment(build, scratch, "pyopencl")
    program = ROOT / "tests/package/pyopencl_scan.py"
    assert run(folder / "bin/python", program, cwd="/").split("\n")[0] == "Upsweep"


def beside(build, scratch):
    """Our driver and PoCL's, of its own wheel or of the system, in one process; each runs a kernel."""
    vendors = scratch / "vendors"
    vendors.mkdir()
    theirs = next(pathlib.Path("/etc/OpenCL/vendors").glob("pocl*.icd"), None)
    if theirs:
        line = theirs.read_text()
        site = installed(build) / SITE
    else:
        site = environment(build, scratch, "pocl_binary_distribution") / SITE
        line = f"{next(site.glob('pyopencl/.libs/libpocl*.so'))}\n"
    (vendors / "pocl.icd").write_text(line)
    (vendors / "upsweep.icd").write_text(f"{site / 'upsweep_opencl/lib/libupsweep-opencl.so'}\n")
    program = scan_program(scratch)
    names = run(program, variables={"OCL_ICD_VENDORS": str(vendors), "HOME": str(scratch)}).splitlines()
    assert "Upsweep" in names and any("Portable" in name for name in names), names


main({each.__name__: each for each in [contents, install, loader, prefix, command, read_only, noexec, pyopencl, beside]})
