# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls every overload of src/builtins/functions.def, a table of the specification, from OpenCL C and from C++ for OpenCL. Each must be declared
with the result's exact type, and defined in the library, as bitcode or in a separate source.
usage: specified_overloads.py CLANG LLVM_NM LIBRARY FUNCTIONS.def
"""
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # into the sources
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../src/builtins"))
from overloads import overloads, write_declarations  # pylint: disable=wrong-import-position

EXTENSIONS = ("cl_khr_fp16", "cl_khr_fp64", "cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics")
UNDEFINED_BY_DESIGN = {"printf", "_Z6printfPU3AS2Kcz"}  # tests/language/cpp.cl calls the second name, which C++ has
LANGUAGES = {  # how to compare types
    ("cl", "CL3.0"): "_Static_assert(__builtin_types_compatible_p(__typeof__(call), type)",
    ("clcpp", "CLC++2021"): "static_assert(__is_same(__typeof__(call), type)",
}

def calls(path):
    """OpenCL C source that calls each overload once, and the number of overloads in each section."""
    counts, lines, seen = {}, [], set()
    for section, _, result, name, types in overloads(path):
        if (result, name, types) in seen:
            sys.exit(f"{path} has {name}({', '.join(types)}) twice")
        seen.add((result, name, types))
        counts[section] = counts.get(section, 0) + 1
        named = [t for t in types if t != "..."]
        arguments = ", ".join([f"a{i}" for i in range(len(named))] + (["1"] if len(named) < len(types) else []))
        parameters = ", ".join(f"{t} a{i}" for i, t in enumerate(named)) or "void"
        check = "" if result in ("auto", "void") else f"SAME({result}, {name}({arguments})); "
        lines.append(f"void use_{len(lines)}({parameters}) {{ {check}{name}({arguments}); }}")
    return counts, lines


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        sys.exit(f"{' '.join(command)}\n{result.stderr[:8000]}")
    return result.stdout


def compile_source(clang, language, source, own, to):
    """`own`: the extensions of OWN_OVERLOADS rows, and the file that declares these."""
    extensions, declarations = own
    run(clang, "-x", language[0], "-target", "spir64-unknown-unknown", "-cl-std=" + language[1], "-Xclang", "-cl-ext=+all", "-Xclang",
        "-fdeclare-opencl-builtins", "-Xclang", "-finclude-default-header", *(f"-D{name}=1" for name in extensions), "-include", declarations,
        "-w", "-O0", "-ferror-limit=40", "-emit-llvm", "-c", source, "-o", to)


def called_symbols(clang, nm, language, comparison, lines, own, scratch):
    path = os.path.join(scratch, "calls.cl")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join([f"#pragma OPENCL EXTENSION {name} : enable" for name in EXTENSIONS] +
                             [f'#define SAME(type, call) {comparison}, "result of " #call)'] + lines) + "\n")
    compile_source(clang, language, path, own, path + ".bc")
    return {line.split()[-1] for line in run(nm, "--undefined-only", path + ".bc").splitlines()}


def main():
    clang, nm, library, table = sys.argv[1:]
    counts, lines = calls(table)
    called = set()
    with tempfile.TemporaryDirectory() as scratch:
        own = sorted({extension for _, extension, *_ in overloads(table) if extension}), os.path.join(scratch, "own.h")
        write_declarations(table, own[1])
        for language, comparison in LANGUAGES.items():
            called |= called_symbols(clang, nm, language, comparison, lines, own, scratch)
        if library.endswith(".cl"):
            source, library = library, os.path.join(scratch, "library.bc")
            compile_source(clang, ("cl", "CL3.0"), source, own, library)
        defined = {line.split()[-1] for line in run(nm, "--defined-only", library).splitlines()}
    missing = sorted(s for s in called - defined - UNDEFINED_BY_DESIGN if not s.startswith("llvm."))
    for section, count in counts.items():
        print(f"{section}: {count} overloads")
    for symbol in missing:
        print("missing:", symbol)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
