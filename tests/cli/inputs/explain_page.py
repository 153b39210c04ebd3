# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads a page of `upsweep explain --html`: `explain_page.py PAGE SOURCE`."""
import html.parser
import pathlib
import sys


class Page(html.parser.HTMLParser):
    """The rows of each pane, as pairs of a line and a text."""

    def __init__(self):
        super().__init__()
        self.panes = {}
        self.pane = self.row = None
        self.in_code = False

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        assert not {"src", "href"} & given.keys(), given
        if tag == "section":
            self.pane = self.panes.setdefault(given["id"], [])
        elif tag == "div" and self.pane is not None:
            self.row = [given["class"], given.get("data-line"), ""]
            self.pane.append(self.row)
        self.in_code = tag == "code"

    def handle_endtag(self, tag):
        self.in_code = False
        if tag == "section":
            self.pane = None

    def handle_data(self, data):
        if self.in_code:
            self.row[2] += data


page = Page()
page.feed(pathlib.Path(sys.argv[1]).read_text())
source = pathlib.Path(sys.argv[2]).read_text().splitlines()
shown = [text for kind, _, text in page.panes["source"] if kind == "line"]
assert shown == source, (shown, source)
kernel_line = str(1 + next(i for i, text in enumerate(source) if text.startswith("kernel")))
remarks = [row for row in page.panes["source"] if row[0] == "remark" and row[1] == kernel_line]
assert any("row store" in text for _, _, text in remarks), page.panes["source"]
code = [row for row in page.panes["code"] if row[1] == kernel_line]
assert any("zmm" in text or "ymm" in text or "xmm" in text for _, _, text in code), page.panes["code"]
assert any(text.strip() == "twice.entry:" for _, _, text in page.panes["code"]), page.panes["code"]
