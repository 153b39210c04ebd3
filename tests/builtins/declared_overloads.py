# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the library defines every OpenCL C overload that clang declares.

Clang's header lists the prototypes. A function that calls each of them is compiled like a kernel, and the library's bitcode must define
every function that the result leaves undefined.
usage: declared_overloads.py CLANG LLVM_NM BITCODE
"""
import collections
import os
import re
import subprocess
import sys
import tempfile

# Not in this library: passes implement images, pipes and device-side enqueue, and functions of vendors are not supported.
LEFT_OUT_NAMES = re.compile(
    r"image|pipe|intel|^amd_|^arm_|enqueue|ndrange|_kernel_|^(retain|release|is_valid|create|set|capture)_|get_default_queue"
    r"|kernel_clock|clock_read|printf"
)
LEFT_OUT_TYPES = re.compile(r"image|sampler|pipe|queue_t|clk_event|ndrange|intel|reserve_id|atomic_half|half_t")
LANGUAGES = ("CL1.2", "CL2.0", "CL3.0")
EXTENSIONS = ("cl_khr_fp16", "cl_khr_fp64", "cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics")
TYPE_WORDS = {"const", "volatile", "restrict", "__global", "__local", "__private", "__constant", "unsigned"}


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{' '.join(command)}\n{result.stderr[:4000]}")
    return result.stdout


def compiler(clang, language):
    return [clang, "-x", "cl", "-target", "spir64-unknown-unknown", f"-cl-std={language}", "-Xclang", "-cl-ext=+all"]


def prototypes(clang, language):
    """(name, parameter types) of each declaration in clang's header."""
    header = run(*compiler(clang, language), "-Xclang", "-include", "-Xclang", "opencl-c.h", "-E", "-P", os.devnull)
    header = re.sub(r"__attribute__\(\((?:[^()]|\([^()]*\))*\)\)", "", header)
    for declaration in header.split(";"):
        declaration = " ".join(declaration.split())
        match = re.fullmatch(r"(?:\w+ |\* ?)+?(\w+) ?\((.*)\)", declaration)
        if not match or declaration.startswith("typedef"):
            continue
        name, parameters = match.groups()
        types = [] if parameters in ("", "void") else [type_of(p) for p in parameters.split(",")]
        if LEFT_OUT_NAMES.search(name) or any(LEFT_OUT_TYPES.search(t) for t in types):
            continue
        yield name, tuple(types)


def type_of(parameter):
    """Drops a parameter's name."""
    words = parameter.replace("*", " * ").split()
    if len(words) > 1 and words[-1] != "*" and any(w not in TYPE_WORDS for w in words[:-1]):
        words.pop()
    return " ".join(words)


def called_symbols(clang, nm, language, scratch):
    source = [f"#pragma OPENCL EXTENSION {name} : enable" for name in EXTENSIONS]
    for index, (name, types) in enumerate(sorted(set(prototypes(clang, language)))):
        parameters = ", ".join(f"{t} a{i}" for i, t in enumerate(types)) or "void"
        source.append(f"void use_{index}({parameters}) {{ {name}({', '.join(f'a{i}' for i in range(len(types)))}); }}")
    path = os.path.join(scratch, f"calls-{language}.cl")
    with open(path, "w") as file:
        file.write("\n".join(source) + "\n")
    run(*compiler(clang, language), "-Xclang", "-fdeclare-opencl-builtins", "-Xclang", "-finclude-default-header", "-w", "-O0",
        "-emit-llvm", "-c", path, "-o", path + ".bc")
    return len(source) - len(EXTENSIONS), {line.split()[-1] for line in run(nm, "--undefined-only", path + ".bc").splitlines()}


def main():
    clang, nm, bitcode = sys.argv[1:]
    defined = {line.split()[-1] for line in run(nm, "--defined-only", bitcode).splitlines()}
    left = {line.split()[-1] for line in run(nm, "--undefined-only", bitcode).splitlines()}
    unexpected = sorted(s for s in left if not s.startswith(("__ups_", "llvm.")))
    missing = set()
    with tempfile.TemporaryDirectory() as scratch:
        for language in LANGUAGES:
            calls, symbols = called_symbols(clang, nm, language, scratch)
            print(f"{language}: {calls} overloads, {len(symbols)} symbols, {len(symbols - defined)} missing")
            missing |= symbols - defined
    for symbol in unexpected:
        print("undefined in the library:", symbol)
    families = collections.Counter(re.sub(r"^_Z\d+", "", s) for s in missing)
    for symbol in sorted(missing):
        print("missing:", symbol)
    return 1 if missing or unexpected else 0


sys.exit(main())
