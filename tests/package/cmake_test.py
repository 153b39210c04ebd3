# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The libraries of headers in projects of CMake and pkg-config: without LLVM, and without parts that are not requested."""

import os

from support import ROOT, main, run

import common

LIBRARIES = ["cuda", "cpu", "opencl"]
CONSUMER = ROOT / "tests/package/consumer"
COMPILER = "-DCMAKE_CXX_COMPILER=clang++-19"


def configure(build, *options, **more) -> str:
    return run("cmake", "-G", "Ninja", "-B", build, *options, **more)


def installed(scratch):
    """The headers alone, configured where no compiler works, and installed in a prefix."""
    build = scratch / "headers"
    configure(build, "-S", ROOT, "-DUPSWEEP_HEADERS_ONLY=ON", variables={"CC": "/nonexistent", "CXX": "/nonexistent"})
    for library in LIBRARIES:
        run("cmake", "--install", build, "--prefix", scratch / "prefix", "--component", library)
    return scratch / "prefix"


def use(scratch, *options) -> str:
    """Configures, builds and runs the consumer; returns CMake's output."""
    said = configure(scratch / "consumer", "-S", CONSUMER, COMPILER, *options)
    run("ninja", "-C", scratch / "consumer")
    assert run(scratch / "consumer/consumer").strip() == str(sum(range(-5000, 5007)))
    return said


def targets(said) -> set[str]:
    return {line.split("::")[1] for line in said.splitlines() if "there is upsweep::" in line}


def headers(build, scratch):
    """Configuring the headers searches for neither LLVM nor a compiler; an installed package gives all three libraries, and the
    examples that are projects find it."""
    prefix = installed(scratch)
    cache = (scratch / "headers/CMakeCache.txt").read_text()
    assert "LLVM_DIR" not in cache and "CMAKE_CXX_COMPILER" not in cache, cache
    assert targets(use(scratch, f"-DCMAKE_PREFIX_PATH={prefix}")) == set(LIBRARIES)
    assert not list(prefix.glob("lib/*")) and not list(prefix.glob("bin/*"))
    for example in ["cpu", "opencl_library", "uses"]:
        configure(scratch / example, "-S", ROOT / "examples" / example, COMPILER, f"-DCMAKE_PREFIX_PATH={prefix}")


def components(build, scratch):
    """A library that is not requested is not searched for: without OpenCL the other two work, and a request for it is an
    error."""
    prefix = installed(scratch)
    without = [f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_DISABLE_FIND_PACKAGE_OpenCL=ON"]
    assert targets(configure(scratch / "all", "-S", CONSUMER, COMPILER, *without)) == {"cuda", "cpu"}
    assert targets(configure(scratch / "one", "-S", CONSUMER, COMPILER, "-Dupsweep_components=cpu", *without)) == {"cpu"}
    for wanted, message in [("cpu;opencl", "needs OpenCL's headers and loader"), ("cpu;nothing", "upsweep::nothing is not installed")]:
        said = configure(scratch / "error", "-S", CONSUMER, COMPILER, f"-Dupsweep_components={wanted}", *without, check=False)
        assert "CMake Error" in said and message in said, said


def fetch(build, scratch):
    """FetchContent of a local folder. The project then contains neither the driver nor LLVM."""
    assert targets(use(scratch, f"-Dupsweep_source={ROOT}")) == set(LIBRARIES)
    assert "LLVM_DIR" not in (scratch / "consumer/CMakeCache.txt").read_text()


def pkg_config(build, scratch):
    """Flags of pkg-config, after the prefix was moved."""
    prefix = installed(scratch)
    moved = scratch / "moved"
    os.rename(prefix, moved)
    variables = {"PKG_CONFIG_PATH": str(moved / "share/pkgconfig")}
    modules = [f"upsweep-{library}" for library in LIBRARIES]
    assert run("pkg-config", "--modversion", *modules, variables=variables).split() == [common.version()] * 3
    flags = run("pkg-config", "--cflags", "--libs", "upsweep-cpu", "upsweep-opencl", variables=variables).split()
    assert "-lOpenCL" in flags, flags
    run("clang++-19", "-std=c++20", "-DCONSUMER_OPENCL", CONSUMER / "consumer.cpp", "-o", scratch / "consumer", *flags)
    assert run(scratch / "consumer").strip() == str(sum(range(-5000, 5007)))


main({each.__name__: each for each in [headers, components, fetch, pkg_config]})
