# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The reference of all calls, from the comments of the headers and the docstrings of the Python module: pages of the site, one for each header.
They are made when the site is built, and are in no folder of the repository, where the headers themselves are read.

A header's comment has blocks between empty lines: `  name   text` is a table of calls, `name   text` of arguments, four blanks begin code, and
all else is prose. Backticks around a name are optional."""
import ast
import functools
import re
from pathlib import Path

import cpp_headers

LIBRARIES = {"cpu": ("CPU threads", "cpu.md"), "cuda": ("CUDA", "cuda.md"), "opencl": ("OpenCL queues", "opencl.md"),
             "distributed": ("Ranks", "distributed.md"), "external": ("Streams larger than memory", "files.md")}
ENTRY = re.compile(r"(?P<indent> {0,3})(?P<name>\S+(?: \S+)*) {2,}(?P<text>\S.*)$")
HEADERS = {".h", ".cuh"}
INTERNAL = {"detail", "device", "common"}


def escaped(text):
    """Text as it is, whatever Markdown makes of its characters; code between backticks stays code."""
    parts = re.split(r"(`[^`\n]+`)", text)
    return "".join(part if part.startswith("`") and len(part) > 1 else plain(part) for part in parts)


def plain(text):
    text = re.sub(r"([\\*_\[\]#`])", r"\\\1", text)
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("|", "&#124;")


def blocks(text):
    block = []
    for line in [*text.split("\n"), ""]:
        if line.strip():
            block.append(line)
        elif block:
            yield block
            block = []


def entries(block):
    """[name, text] of a table's lines; a line that begins no entry goes on with the one before."""
    found, indent = [], len(block[0]) - len(block[0].lstrip())
    for line in block:
        entry = ENTRY.match(line)
        if entry and len(entry["indent"]) == indent:
            found.append([entry["name"], entry["text"]])
        else:
            found[-1][1] += " " + line.strip()
    return found


def page_of(comment):
    """A header's comment as Markdown."""
    made = []
    for block in blocks(comment):
        if block[0].startswith("    "):
            made.append("```cpp\n" + "\n".join(line.removeprefix("    ") for line in block) + "\n```")
        elif ENTRY.match(block[0]):
            heading = "call" if block[0].startswith(" ") else "argument"
            rows = [f"| {name if '`' in name else f'`{name}`'} | {escaped(text)} |" for name, text in entries(block)]
            made.append("\n".join([f"| {heading} | meaning |", "|---|---|", *rows]))
        else:
            made.append(escaped(" ".join(line.strip() for line in block)))
    return "\n\n".join(made)


def declared(declaration, level="###"):
    """A declaration's heading, its comment, and its form."""
    lines = [declaration.text + (";" if not declaration.members else " {")]
    for member in declaration.members:
        lines += [f"  // {line}" for line in member.comment.split("\n") if line]
        lines += ["  " + line for line in (member.text + ";").split("\n")]
    lines += ["};"] if declaration.members else []
    comment = escaped(" ".join(declaration.comment.split()))
    return f"{level} `{declaration.name}`\n\n" + (comment + "\n\n" if comment else "") + "```cpp\n" + "\n".join(lines) + "\n```\n"


def merged(found):
    """Calls by name, in order: overloads stand together, and a call that is also without a workspace says so."""
    groups = {}
    for each in found:
        groups.setdefault(each.name, []).append(each)
    return groups


def internal_headers(text, root):
    """The headers for inner use that a header includes, directly or by each other."""
    wanted, found = re.findall(r"#include <(upsweep/[^>]+)>", text), {}
    while wanted:
        name = wanted.pop(0)
        path = Path(root) / "include" / name
        if name not in found and INTERNAL & set(path.parts) and path.exists():
            found[name] = path.read_text(encoding="utf-8")
            wanted += re.findall(r"#include <(upsweep/[^>]+)>", found[name])
    return found.values()


@functools.cache
def declared_in(text):
    return cpp_headers.declarations(text)


def is_option(declaration):
    """Types and constants; a function of an inner header is no call for users."""
    is_function = re.search(rf"\b{declaration.name}\(", declaration.text)
    return not is_function and bool(re.search(r"(?:^|\n)(?:struct|class|constexpr|using) ", declaration.text))


def names_of_common(text):
    """The names that a header takes over from the vocabulary of all libraries: `using common::axis, common::plus;`."""
    lists = re.findall(r"^using ((?:common::\w+(?:,\s*)?)+);", text, re.M)
    return set(re.findall(r"common::(\w+)", " ".join(lists)))


def header_page(path, library, include, root):
    """The page of a header, and the names of its calls: also of options that a header for inner use declares and this one's comment names."""
    text = path.read_text(encoding="utf-8")
    words = set(re.findall(r"\w+", cpp_headers.purpose(text))) | names_of_common(text)
    found = [each for each in declared_in(text) if not each.text.startswith("using common::")]
    own = {each.name for each in found}
    for inner in internal_headers(text, root):
        found += [each for each in declared_in(inner) if is_option(each) and (each.name in words - own or each.name.removesuffix("_t") in words - own)]
    groups = merged(found)
    parts = [f"# {path.name}: {LIBRARIES[library][0]}\n", f"```cpp\n#include <{include}>\n```\n", page_of(cpp_headers.purpose(text)) + "\n"]
    if groups:
        parts.append("## Declarations\n")
    for name, overloads in groups.items():
        first, *others = [each for each in overloads if each.text]
        parts.append(declared(first))
        parts += ["```cpp\n" + other.text + ";\n```\n" for other in others]
        if any(not each.text for each in overloads):
            parts.append("Also without `space`: the workspace then is of the stream's pool.\n")
    return "\n".join(parts), list(groups)


def first_sentence(text):
    return escaped(" ".join(next(blocks(text), [""]))).split(". ")[0].split(": ")[0].rstrip(".:")


def library_pages(root, library):
    """{page: text} of a library of headers."""
    folder, made, rows = Path(root) / "include/upsweep" / library, {}, []
    for path in sorted(path for path in folder.rglob("*") if path.suffix in HEADERS and not INTERNAL & set(path.relative_to(folder).parts[:-1])):
        include = str(path.relative_to(Path(root) / "include"))
        text, names = header_page(path, library, include, root)
        name = str(path.relative_to(folder)) + ".md"
        made[f"reference/{library}/{name}"] = text
        calls = ", ".join(f"`{each}`" for each in names[:24]) + (", …" if len(names) > 24 else "")
        rows.append(f"| [{name.removesuffix('.md')}]({name}) | {first_sentence(cpp_headers.purpose(path.read_text(encoding='utf-8')))} | {calls} |")
    title, page = LIBRARIES[library]
    head = f"# All calls: {title}\n\nHow to call them, and what they promise: [{title}](../../{page}).\n\n| header | purpose | declarations |\n|---|---|---|\n"
    return {f"reference/{library}/index.md": head + "\n".join(rows) + "\n"} | made


def python_page(root):
    """The functions of the Python module, in the order of __all__, with their docstrings."""
    folder = Path(root) / "python/upsweep"
    module = ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))
    sources = {name.name: node.module for node in module.body if isinstance(node, ast.ImportFrom) for name in node.names}
    listed = next(ast.literal_eval(node.value) for node in module.body if isinstance(node, ast.Assign) and node.targets[0].id == "__all__")
    trees = {each: ast.parse(path.read_text(encoding="utf-8")) for each in set(sources.values()) if (path := folder / f"{each}.py").exists()}
    functions = {}
    for name in listed:
        for node in trees[sources[name]].body if sources.get(name) in trees else []:
            if isinstance(node, ast.FunctionDef) and node.name == name and ast.get_docstring(node):
                functions[name] = (ast.unparse(node.args), ast.get_docstring(node))
    names = list(functions)
    parts = ["# All functions: Python\n\nHow to install the module, and what it promises: [the Python module](../python.md).\n"]
    for name in names:
        arguments, text = functions[name]
        summary, _, rest = text.partition("\n")
        parts.append(f"## `{name}`\n\n```python\nupsweep.{name}({arguments})\n```\n\n{escaped(summary)}\n\n```text\n{rest.strip()}\n```\n")
    return {"reference/python.md": "\n".join(parts)}, names


def pages(root):
    """{page of the site: Markdown} of the whole reference."""
    made = {}
    for library in LIBRARIES:
        made |= library_pages(root, library)
    return made | python_page(root)[0]
