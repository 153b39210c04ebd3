# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Looks at a built site: every link within it has a target, its fragment too, and no page loads anything from another host. Links that a
reader may follow to other hosts are not followed."""
import re
import sys
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# Elements that a browser loads without a click.
LOADS = {("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("video", "src"), ("audio", "src"), ("embed", "src"),
         ("object", "data"), ("image", "href"), ("use", "href")}
LOADING_RELATIONS = {"stylesheet", "icon", "preload", "prefetch", "preconnect", "dns-prefetch", "modulepreload", "manifest"}
OF_STYLES = re.compile(r"@import\s+[\"']([^\"']+)|url\(\s*[\"']?([^\"')]+)")


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.loads, self.names = [], [], set()
        self.in_style = False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.names |= {value for name, value in attributes if value and (name == "id" or (tag == "a" and name == "name"))}
        self.in_style = tag == "style"
        for name, value in attributes:
            if not value:
                continue
            relations = set((found.get("rel") or "").split())
            if (tag, name) in LOADS or (tag == "link" and name == "href" and relations & LOADING_RELATIONS):
                self.loads.append(value)
            elif tag in {"a", "area", "link"} and name == "href":
                self.links.append(value)
            elif name == "srcset":
                self.loads += [part.split()[0] for part in value.split(",")]
            elif name == "style":
                self.loads += loads_of_style(value)

    def handle_endtag(self, tag):
        self.in_style = False

    def handle_data(self, data):
        if self.in_style:
            self.loads += loads_of_style(data)


def loads_of_style(text):
    return [first or second for first, second in OF_STYLES.findall(text) if not (first or second).startswith(("data:", "#"))]


def check(site):
    """What is wrong, as sentences, and numbers of pages and links."""
    site = Path(site).resolve()
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    failures, counts = [], Counter(pages=len(pages))
    for path, page in pages.items():
        name = path.relative_to(site)
        for load in page.loads:
            if urlsplit(load).netloc:
                failures.append(f"{name} loads {load} from another host")
        base = site if path.name == "404.html" else path.parent  # any folder's missing page shows it; its links are absolute
        for link in page.links + page.loads:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            counts["links"] += 1
            target = (base / unquote(parts.path).lstrip("/" if base == site else "")).resolve() if parts.path and parts.path != "." else path
            target = target / "index.html" if target.is_dir() else target
            if not target.exists():
                failures.append(f"{name}: the link {link} leads nowhere")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].names | {"__skip", "top"}:
                failures.append(f"{name}: {link}: the page has no such place")
    for style in site.rglob("*.css"):
        for load in loads_of_style(style.read_text(encoding="utf-8")):
            if urlsplit(load).netloc:
                failures.append(f"{style.relative_to(site)} loads {load} from another host")
            elif not (style.parent / urlsplit(load).path).exists():
                failures.append(f"{style.relative_to(site)}: there is no {load}")
    return failures, counts


if __name__ == "__main__":
    problems, numbers = check(sys.argv[1])
    print("\n".join(problems), end="\n" if problems else "")
    print(f"{numbers['pages']} pages, {numbers['links']} links")
    sys.exit(bool(problems))
