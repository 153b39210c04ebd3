# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the public declarations of the libraries' headers, with the comments above them: enough of C++ for these headers, laid out by
clang-format, and no more. Namespaces named `detail`, private members and the bodies of functions are left out."""
import re
from dataclasses import dataclass, field

COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", re.M)
CLASS = re.compile(r"(?:^|>\s*)(class|struct)\s+(?:alignas\([^)]*\)\s*)?\w+")
HIDDEN = re.compile(r"^(static_assert|friend|using namespace|template class|template struct|template <>|extern|template <[^()]*constexpr bool \w+<|struct __|static constexpr const char |inline constexpr std::uint64_t k[A-Z])|\bdetail::\w+<.*>$")


@dataclass
class Declaration:
    name: str
    text: str
    comment: str
    members: list = field(default_factory=list)


def masked(text):
    """The text with comments, literals and directives blank, of the same length: its braces are those of the code."""
    blank = lambda match: re.sub(r"[^\n]", " ", match.group(0))
    return DIRECTIVE.sub(blank, COMMENT.sub(blank, text))


def purpose(text):
    """The comment at the top of a header, without the licence's line and the slashes."""
    lines = []
    for line in text.splitlines()[1:]:
        if not line.startswith("//"):
            break
        lines.append(line[2:].removeprefix(" "))
    return "\n".join(lines)


def comment_above(text, at):
    """The comment lines directly above a position, without their slashes."""
    lines = text[:at].split("\n")[:-1]
    found = []
    while lines and re.match(r"\s*//", lines[-1]) and "SPDX" not in lines[-1]:
        found.insert(0, re.sub(r"^\s*// ?", "", lines.pop()))
    return "\n".join(found)


def closing(code, at):
    """The place behind the brace that closes the one at `at`."""
    depth = 0
    for i in range(at, len(code)):
        depth += {"{": 1, "}": -1}.get(code[i], 0)
        if depth == 0:
            return i + 1
    raise ValueError("a brace is not closed")


def statement_end(code, at):
    """The first ; or { of a declaration outside of parentheses, or the }; of a value in braces."""
    depth = 0
    for i in range(at, len(code)):
        depth += {"(": 1, ")": -1, "[": 1, "]": -1}.get(code[i], 0)
        if depth == 0 and code[i] in ";{}":
            return i
    return len(code)


def name_of(text):
    plain = re.sub(r"^template\s*<", "", text)
    if plain != text:  # behind the parameters of the template
        depth, i = 1, 0
        while depth:
            depth += {"<": 1, ">": -1}.get(plain[i], 0)
            i += 1
        return name_of(re.sub(r"^requires\s+(?:\([^()]*(?:\([^()]*\)[^()]*)*\)|[\w:]+(?:<[^<>]*>)?)\s*", "", plain[i:].strip()))
    if found := re.match(r"(?:class|struct|enum class|enum)\s+(?:alignas\([^)]*\)\s*)?(\w+)", text):
        return found.group(1)
    if found := re.match(r"(?:using|concept|inline constexpr \w+)\s+(\w+)\s*=", text):
        return found.group(1)
    if found := re.search(r"(operator\s*(?:\(\)|\[\]|[^\s\w(]+|\s\w[\w:<> *]*)|~?\w+)\s*\(", re.sub(r"^(?:__\w+__\s*)*(?:explicit\(.*?\)\s*)?", "", text)):
        return found.group(1)
    found = re.search(r"(\w+)\s*(?:=|\{|;|$)", text)
    return found.group(1) if found else ""


def short(text):
    """A declaration in one line, without what callers do not need: initialisers of constructors, attributes of the compiler."""
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(r"\b(__forceinline__|__host__|__device__|UPSWEEP_(?:\w+INLINE\w*|HOST_DEVICE)|inline|\[\[nodiscard\]\])\s*", "", text)
    text = re.sub(r"(constexpr bool \w+) = .*", r"\1", text)
    return re.sub(r"^(template <.*?>) (?=(?:class|struct|constexpr|explicit|auto|void|[A-Za-z_][\w:<>, &*]* \w+\())", r"\1\n", text, count=1)


def declarations(text, code=None, begin=0, end=None, is_public=True):
    """The public declarations between two places, in order. Of a namespace its members; of a class its public members."""
    code = masked(text) if code is None else code
    end = len(code) if end is None else end
    found, at = [], begin
    while at < end:
        skipped = re.match(r"[\s;}]*", code[at:end])
        at += skipped.end()
        if at >= end:
            break
        if label := re.match(r"(public|private|protected)\s*:", code[at:end]):
            is_public = label.group(1) == "public"
            at += label.end()
            continue
        if macro := re.match(r"UPSWEEP_[A-Z0-9_]+\([^)]*\)", code[at:end]):
            if pool := re.match(r"UPSWEEP_CUDA_CALL_FROM_POOL\((\w+)\)", macro.group(0)):
                found += [Declaration(pool.group(1), "", "")] if is_public else []
            at += macro.end()
            continue
        stop = statement_end(code, at)
        head = code[at:stop].strip()
        is_block = stop < end and code[stop] == "{"
        after = closing(code, stop) if is_block else stop + 1
        if re.match(r"(inline )?namespace\b", head):
            if is_block and not re.search(r"\bdetail\b", head) and head != "namespace":
                found += declarations(text, code, stop + 1, after - 1, is_public)
        elif re.fullmatch(r"(?:template <[^()]*>\s*)?(?:class|struct) \w+", head) and not is_block:
            pass  # declared here, defined elsewhere
        elif is_public and head and not HIDDEN.search(head.split("(")[0].split("{")[0]) and not head.startswith("//"):
            is_class = CLASS.search(head) if "(" not in head.split(":")[0].replace("alignas(", "") else None
            constructor = re.match(r"(.*?\))\s*:\s*\w+[({]", head, re.S)
            made = Declaration(name_of(head), short(constructor.group(1) if constructor and not is_class else head), comment_above(text, at))
            if is_class and is_block:
                made.members = declarations(text, code, stop + 1, after - 1, is_class.group(1) == "struct")
            found.append(made)
        at = after
    return found
