# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls every overload of src/builtins/functions.def, a table of the specification, from OpenCL C and from C++ for OpenCL: each must be declared
with the result's exact type, and defined in the library.
usage: specified_overloads.py CLANG LLVM_NM BITCODE FUNCTIONS.def
"""
import itertools
import os
import re
import subprocess
import sys
import tempfile

SIGNED = ["char", "short", "int", "long"]
INTEGERS = SIGNED + ["u" + t for t in SIGNED]
FLOATS = ["half", "float", "double"]
TYPES = {
    "None": [""],
    "Float": ["float"],
    "Floats": FLOATS,
    "FloatAndDouble": ["float", "double"],
    "Signed": SIGNED,
    "Integers": INTEGERS,
    "Narrow": [t for t in INTEGERS if "long" not in t],
    "Ints": ["int", "uint"],
    "Longs": ["long", "ulong"],
    "Types": INTEGERS + FLOATS,
    "Atomic": ["int", "uint", "long", "ulong", "float", "double"],
    "AtomicIntegers": ["int", "uint", "long", "ulong"],
    "Collective": ["int", "uint", "long", "ulong", "half", "float", "double"],
}
WIDTHS = {
    "Scalar": [1],
    "Vectors": [2, 3, 4, 8, 16],
    "All": [1, 2, 3, 4, 8, 16],
    "UpToFour": [1, 2, 3, 4],
    "ThreeAndFour": [3, 4],
    "Shuffled": [2, 4, 8, 16],
}
SIGNED_OF_SIZE = {"char": "char", "short": "short", "int": "int", "long": "long", "half": "short", "float": "int", "double": "long"}
WIDER = {"char": "short", "short": "int", "int": "long"}
SPACES = ["global", "local", "private", ""]
EXTENSIONS = ("cl_khr_fp16", "cl_khr_fp64", "cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics")
UNDEFINED_BY_DESIGN = {"printf", "_Z6printfPU3AS2Kcz"}  # tests/language/cpp.cl calls the second, which C++ has
LANGUAGES = {  # how to compare types
    ("cl", "CL3.0"): "_Static_assert(__builtin_types_compatible_p(__typeof__(call), type)",
    ("clcpp", "CLC++2021"): "static_assert(__is_same(__typeof__(call), type)",
}
# Same names on both sides, so that to_global gives a global pointer.
PAIRED = re.compile(r"^\{global\|local\|private\}(.*)\{global\|local\|private\}")


def alternatives(prototype):
    """The prototype once for each choice in braces and each address space."""
    if PAIRED.match(prototype):
        return [PAIRED.sub(rf"{space}\1{space}", prototype) for space in ("global", "local", "private")]
    prototype = re.sub(r"\banywhere\b", "{" + "|".join(SPACES + ["constant"]) + "}", prototype)
    prototype = re.sub(r"\bspace\b", "{" + "|".join(SPACES) + "}", prototype)
    parts = re.split(r"\{([^{}]*)\}", prototype)
    choices = [part.split("|") if i % 2 else [part] for i, part in enumerate(parts)]
    return ["".join(choice) for choice in itertools.product(*choices)]


def instance(prototype, element, width):
    base = element.removeprefix("u")
    signed = SIGNED_OF_SIZE.get(base, "")
    unsigned = element[0] == "u" if element else False
    wider = ("u" if unsigned else "") + WIDER.get(base, "")
    words = {"t": element, "i": signed, "u": "u" + signed, "w": wider, "r": "int" if width == 1 else signed}
    suffix = "" if width == 1 else str(width)
    text = re.sub(r"\batomic_t\b", "atomic_" + element, prototype)
    text = re.sub(r"\b([tiuwr])(?=\d+\b|\b)(?!\()", lambda m: words[m[1]], text)
    return text.replace("#", suffix)


def overloads(path):
    """(section, result, name, parameter types)"""
    section = None
    with open(path, encoding="utf-8") as file:
        for line in file:
            if match := re.match(r'UPSWEEP_SECTION\("([\d.]+)"', line):
                section = match[1]
            elif match := re.match(r'UPSWEEP_OVERLOADS\("(.*)", (\w+), (\w+)\)', line):
                for prototype in alternatives(match[1]):
                    for element, width in itertools.product(TYPES[match[2]], WIDTHS[match[3]]):
                        result, name, parameters = re.fullmatch(r"(.*?) ?(\w+)\((.*)\)", instance(prototype, element, width)).groups()
                        yield section, result, name, tuple(p.strip() for p in parameters.split(",") if p.strip())


def calls(path):
    """OpenCL C that calls each overload once, and how many there are by section."""
    counts, lines, seen = {}, [], set()
    for section, result, name, types in overloads(path):
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


def called_symbols(clang, nm, language, comparison, lines):
    source = "\n".join([f"#pragma OPENCL EXTENSION {name} : enable" for name in EXTENSIONS] +
                       [f'#define SAME(type, call) {comparison}, "result of " #call)'] + lines)
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "calls.cl")
        with open(path, "w", encoding="utf-8") as file:
            file.write(source + "\n")
        run(clang, "-x", language[0], "-target", "spir64-unknown-unknown", "-cl-std=" + language[1], "-Xclang", "-cl-ext=+all", "-Xclang",
            "-fdeclare-opencl-builtins", "-Xclang", "-finclude-default-header", "-w", "-O0", "-ferror-limit=40", "-emit-llvm", "-c", path,
            "-o", path + ".bc")
        return {line.split()[-1] for line in run(nm, "--undefined-only", path + ".bc").splitlines()}


def main():
    clang, nm, bitcode, table = sys.argv[1:]
    counts, lines = calls(table)
    called = set()
    for language, comparison in LANGUAGES.items():
        called |= called_symbols(clang, nm, language, comparison, lines)
    defined = {line.split()[-1] for line in run(nm, "--defined-only", bitcode).splitlines()}
    missing = sorted(s for s in called - defined - UNDEFINED_BY_DESIGN if not s.startswith("llvm."))
    for section, count in counts.items():
        print(f"{section}: {count} overloads")
    for symbol in missing:
        print("missing:", symbol)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
