# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads functions.def: each overload of its prototypes. As a program it lists the overloads that Clang does not declare, for
src/compiler/language/own_functions.cpp: lines of extension, result, name and parameter types, separated by commas.
usage: overloads.py FUNCTIONS.def LIST
"""
import itertools
import re
import sys

SIGNED_OF_SIZE = {"char": "char", "short": "short", "int": "int", "long": "long", "half": "short", "float": "int", "double": "long"}
WIDER = {"char": "short", "short": "int", "int": "long"}
SPACES = ["global", "local", "private", ""]
# The names on both sides must match: to_global gives a global pointer.
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


def members(types):
    """Of a row's set: "(u)int, half" has int, uint and half, "" has one type without a name, "scalar, 2 to 4" 1, 2, 3 and 4."""
    for word in types.replace("scalar", "1").split(", "):
        if match := re.fullmatch(r"(\d+) to (\d+)", word):
            yield from map(str, range(int(match[1]), int(match[2]) + 1))
        else:
            yield word.removeprefix("(u)")
            if word.startswith("(u)"):
                yield word.replace("(u)", "u")


def overloads(path):
    """(section, extension, result, name, parameter types); extension: None for those that Clang declares"""
    section, sets = None, {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            if match := re.match(r'UPSWEEP_SECTION\("([\d.]+)"', line):
                section = match[1]
            elif match := re.match(r'UPSWEEP_(?:TYPES|WIDTHS)\((\w+), "(.*)"\)', line):
                sets[match[1]] = list(members(match[2]))
            elif match := re.match(r'UPSWEEP_(?:OWN_)?OVERLOADS\((?:(\w+), )?"(.*)", (\w+), (\w+)\)', line):
                for prototype in alternatives(match[2]):
                    for element, width in itertools.product(sets[match[3]], map(int, sets[match[4]])):
                        result, name, parameters = re.fullmatch(r"(.*?) ?(\w+)\((.*)\)", instance(prototype, element, width)).groups()
                        yield section, match[1], result, name, tuple(p.strip() for p in parameters.split(",") if p.strip())


def write_list(table, path):
    with open(path, "w", encoding="utf-8") as file:
        for _, extension, result, name, types in overloads(table):
            if extension:
                file.write(",".join((extension, result, name) + types) + "\n")


def write_declarations(table, path):
    """As OpenCL C."""
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join(f"#pragma OPENCL EXTENSION {name} : enable\n" for name in ("cl_khr_fp16", "cl_khr_fp64")))
        for _, extension, result, name, types in overloads(table):
            if extension:
                parameters = ", ".join(types) or "void"
                file.write(f"#ifdef {extension}\n{result} __attribute__((overloadable)) {name}({parameters});\n#endif\n")


if __name__ == "__main__":
    write_list(*sys.argv[1:])
