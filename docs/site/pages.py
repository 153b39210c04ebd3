# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pages of the site, made of the repository's: stage() writes them, with links and lists as MkDocs reads them.

Markdown of GitHub and that of MkDocs differ: there a list or a table may follow a paragraph without an empty line, and nested lists are
indented by two blanks. A link to a source file or a folder leads to a page that shows it, since the site has no repository behind it."""
import json
import os
import posixpath
import re
import shutil
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "generator"))
import reference  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\[\]]*\])*\]\()([^)\s]+)(\))")
CODE = re.compile(r"(`+)(?:(?!\1).)+?\1(?!`)")
ITEM = re.compile(r"( *)(?:[-*+]|\d+\.) +\S")
LANGUAGES = {".cuh": "cpp", ".cu": "cpp", ".h": "cpp", ".inl": "cpp", ".cpp": "cpp", ".def": "cpp", ".cl": "c", ".py": "python", ".json": "json",
             ".sh": "bash", ".txt": "text", ".cmake": "cmake"}
HIDDEN = "---\nsearch:\n  exclude: true\n---\n"  # sources would drown the pages in the search's results
WIDE = "---\nhide:\n  - navigation\n---\n"  # a shelf of one page has nothing to choose from
NAMES = {"README.md": "index.md", "docs/README.md": "pages.md"}


def site_path(path):
    """The place of a page in the site: path is that in the repository."""
    if path in NAMES:
        return NAMES[path]
    name = path.removeprefix("docs/") if path.startswith("docs/") else path.lower()
    return re.sub(r"(^|/)README\.md$", r"\1index.md", name)


def title(path):
    found = re.search(r"^# (.*)$", path.read_text(encoding="utf-8"), re.M)
    return found.group(1).replace("`", "") if found else path.stem


def is_page(path):
    return path.endswith(".md") and (path.startswith("docs/") or "/" not in path)


def spaced(text):
    """Lists and tables with the empty lines and the indentation that MkDocs wants."""
    lines, fence, before = [], None, ""
    for line in text.splitlines():
        mark = re.match(r"\s*(```+|~~~+)", line)
        if fence or mark:
            if mark and not fence:
                fence = mark.group(1)
            elif mark and line.strip() == fence:
                fence = None
            lines.append(line)
            before = line
            continue
        if re.match(r"\s*<!-- /?table\b", line):
            line = ""
        item, was_item = ITEM.match(line), ITEM.match(before) or before.startswith("  ")
        begins_list = item and not item.group(1) and before.strip() and not was_item and not before.startswith("#")
        begins_table = line.startswith("|") and before.strip() and not before.startswith("|")
        if begins_list and lines and in_list(lines):
            begins_list = False
        if begins_list or begins_table:
            lines.append("")
        if item and item.group(1):
            line = " " * (len(item.group(1)) // 2 * 4) + line.lstrip()
        lines.append(line)
        before = line
    return "\n".join(lines) + "\n"


def in_list(lines):
    """Whether the last line belongs to an item's paragraph: the first line of its block is an item."""
    block = []
    for line in reversed(lines):
        if not line.strip():
            break
        block.append(line)
    return any(ITEM.match(line) for line in block)


class Site:
    def __init__(self, root, out):
        self.root, self.out = Path(root), Path(out)
        self.wanted, self.written, self.missing = [], {}, []
        self.made = {}  # a folder of pages that no file of the repository has: their places

    def target(self, repository_path):
        """The site's path for a file or folder of the repository, which is written if it is no page."""
        path = self.root / repository_path
        if not path.exists():
            return None
        if path.is_dir():
            if (path / "README.md").exists() and repository_path.startswith("docs"):
                return site_path(posixpath.join(repository_path, "README.md"))
            if repository_path == "docs/decisions":
                return "decisions/index.md"
            place = f"source/{repository_path}/index.md"
        elif is_page(repository_path):
            return site_path(repository_path)
        elif repository_path.startswith("docs/") and path.suffix in {".png", ".svg", ".json", ".html"}:
            place = repository_path.removeprefix("docs/")
        else:
            place = f"source/{repository_path}.md"
        if place not in self.written:
            self.written[place] = repository_path
            self.wanted.append(place)
        return place

    def relinked(self, text, repository_path):
        """The text of a page, with each link to the repository as one to the site."""
        here = posixpath.dirname(repository_path)
        place = self.place_of(repository_path)

        def one(match):
            link, _, fragment = match.group(2).partition("#")
            if re.match(r"[a-z]+:", match.group(2)) or not link:
                return match.group(0)
            wanted = posixpath.normpath(posixpath.join(here, link))
            target = self.target(wanted)
            if target is None:
                self.missing.append(f"{repository_path}: the link {link} leads nowhere")
                return match.group(0)
            found = posixpath.relpath(target, posixpath.dirname(place) or ".")
            return match.group(1) + found + ("#" + fragment if fragment else "") + match.group(3)

        parts = re.split(r"(^```.*?^```[^\n]*$)", text, flags=re.S | re.M)
        return "".join(part if part.startswith("```") else outside_code(LINK, one, part) for part in parts)

    def place_of(self, repository_path):
        path = self.root / repository_path
        if is_page(repository_path):
            return site_path(repository_path)
        return f"source/{repository_path}/index.md" if path.is_dir() else f"source/{repository_path}.md"

    def write(self, place, text):
        path = self.out / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def page(self, repository_path):
        text = (self.root / repository_path).read_text(encoding="utf-8")
        self.write(site_path(repository_path), (WIDE if repository_path in NAMES else "") + spaced(self.relinked(text, repository_path)))

    def shown(self, place):
        """Writes the page of a source file or a folder, or copies a picture."""
        repository_path = self.written[place]
        path = self.root / repository_path
        if not place.startswith("source/"):
            (self.out / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, self.out / place)
            if path.suffix == ".html":  # a page with no theme around it
                self.write(place, path.read_text(encoding="utf-8").replace("<!-- site: the link back -->", '<p><a href="scans.html">Back to the pages</a></p>'))
        elif path.is_dir():
            names = sorted(each for each in path.iterdir() if not each.name.startswith(".") and each.name != "__pycache__")
            text = f"# {repository_path}/\n\n" + "".join(f"- [{each.name}]({each.name})\n" for each in names)
            self.write(place, HIDDEN + self.relinked(text, repository_path + "/-"))
        elif path.suffix == ".md":
            self.write(place, HIDDEN + spaced(self.relinked(path.read_text(encoding="utf-8"), repository_path)))
        else:
            text = path.read_text(encoding="utf-8", errors="replace")
            fence = "`" * max([3, *(len(run) + 1 for run in re.findall(r"`{3,}", text))])
            self.write(place, f"{HIDDEN}# {repository_path}\n\n{fence}{LANGUAGES.get(path.suffix, 'text')}\n{text}{fence}\n")


def outside_code(pattern, replace, text):
    """Replaces where no code span is; a link's text may hold one."""
    spans = [match.span() for match in CODE.finditer(text)]
    return pattern.sub(lambda match: match.group(0) if any(a < match.start() < b for a, b in spans) else replace(match), text)


def index_of(site, folder, heading):
    """The page that lists a folder's pages by their titles."""
    pages = sorted((site.root / folder).glob("*.md"), key=lambda page: title(page).lower())
    lines = [f"- [{title(page)}]({page.name})" for page in pages]
    site.write(site_path(folder + "/README.md"), f"# {heading}\n\n" + "\n".join(lines) + "\n")


def navigation(site, shelf):
    """MkDocs's nav of a shelf: a page, a folder of pages, or an object of shelves."""
    if isinstance(shelf, dict):
        return [{name: navigation(site, part)} for name, part in shelf.items()]
    if shelf.endswith((".md", ".html")):
        return site_path(shelf)
    if shelf in site.made:
        return [name for name in site.made[shelf]]
    pages = sorted((path for path in (site.root / shelf).glob("*.md") if path.name != "README.md"), key=lambda path: title(path).lower())
    return [site_path(shelf + "/README.md")] + [{title(path): site_path(str(path.relative_to(site.root)))} for path in pages]


def stage(out, root=ROOT):
    """Writes all pages into `out`; gives the navigation, and what is missing."""
    shutil.rmtree(out, ignore_errors=True)
    site = Site(root, out)
    shelves = json.loads((site.root / "docs/site/shelves.json").read_text(encoding="utf-8"))
    pages = [str(path.relative_to(site.root)) for path in sorted([*site.root.glob("*.md"), *(site.root / "docs").rglob("*.md")])]
    for page in pages:
        site.page(page)
    for folder, heading in (("docs/decisions", "Decisions"),):
        index_of(site, folder, heading)
    for place, text in reference.pages(root).items():
        site.write(place, text)
        parts = place.split("/")
        folder = "/".join(parts[:2]) if len(parts) > 2 else place.removesuffix(".md")
        site.made.setdefault(folder, []).append({parts[-1].removesuffix(".md"): place} if parts[-1] != "index.md" else place)
    while site.wanted:
        site.shown(site.wanted.pop())
    for name in ("mark.svg", "site.css", "worker.js"):
        (site.out / "site").mkdir(exist_ok=True)
        shutil.copyfile(site.root / "docs/site" / name, site.out / "site" / name)
    listed = json.dumps(shelves)
    site.missing += [f"docs/site/shelves.json: no shelf has {page}" for page in pages
                     if f'"{page}"' not in listed and f'"{os.path.dirname(page)}"' not in listed]
    return [{name: navigation(site, shelf)} for name, shelf in shelves.items() if shelf], site.missing
