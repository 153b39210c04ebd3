# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The site's scripts: Markdown of GitHub becomes that of MkDocs, links to sources become pages, and a checker finds dead links."""
import tempfile
import unittest
from pathlib import Path

import check
import pages


def tree(folder, files):
    for name, text in files.items():
        path = Path(folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return Path(folder)


class Markdown(unittest.TestCase):
    def test_GivenListBehindParagraph_WhenSpaced_ThenAnEmptyLineIsBetween(self):
        self.assertEqual(pages.spaced("It promises:\n- a\n- b\n  more\n- c\n"), "It promises:\n\n- a\n- b\n  more\n- c\n")

    def test_GivenItemOfSeveralLines_WhenSpaced_ThenTheListStaysWhole(self):
        self.assertEqual(pages.spaced("- a\nlazy\n- b\n"), "- a\nlazy\n- b\n")

    def test_GivenNestedList_WhenSpaced_ThenItIsIndentedByFour(self):
        self.assertEqual(pages.spaced("- a\n  - b\n"), "- a\n    - b\n")

    def test_GivenTableBehindParagraphOrMark_WhenSpaced_ThenAnEmptyLineIsBetween(self):
        self.assertEqual(pages.spaced("Text\n| a |\n|---|\n"), "Text\n\n| a |\n|---|\n")
        self.assertEqual(pages.spaced("<!-- table: v f.json -->\n| a |\n<!-- /table -->\n"), "\n| a |\n\n")

    def test_GivenCode_WhenSpaced_ThenItStays(self):
        text = "Text\n\n```text\na\n- b\n| c |\n```\n"
        self.assertEqual(pages.spaced(text), text)


class Links(unittest.TestCase):
    def test_GivenLinks_WhenRelinked_ThenTheyLeadToPagesOfTheSite(self):
        with tempfile.TemporaryDirectory() as folder:
            site = pages.Site(tree(folder, {"README.md": "", "docs/a.md": "", "docs/b/c.md": "", "src/x.cpp": "", "docs/p.svg": "", "LICENSE": ""}), folder)
            text = "[1](../a.md#x) ![2](../p.svg) [3](../../src/x.cpp) [4](../../README.md) [`5`](https://h.org/) [6](../../src) `[7](none.md)` [8](../../LICENSE)"
            expected = "[1](../a.md#x) ![2](../p.svg) [3](../source/src/x.cpp.md) [4](../index.md) [`5`](https://h.org/) [6](../source/src/index.md) `[7](none.md)` [8](../source/LICENSE.md)"
            self.assertEqual(site.relinked(text, "docs/b/c.md"), expected)
            self.assertEqual(site.missing, [])
            site.relinked("[9](none.md)", "docs/a.md")
            self.assertEqual(site.missing, ["docs/a.md: the link none.md leads nowhere"])

    def test_GivenSourceWithFences_WhenShown_ThenItsFenceIsLonger(self):
        with tempfile.TemporaryDirectory() as folder:
            site = pages.Site(tree(folder, {"src/x.h": "// ````\nint x;\n"}), Path(folder) / "out")
            site.shown(site.target("src/x.h"))
            self.assertIn("`````cpp\n// ````\nint x;\n`````\n", (Path(folder) / "out/source/src/x.h.md").read_text())


class Built(unittest.TestCase):
    def failures(self, **files):
        with tempfile.TemporaryDirectory() as folder:
            return check.check(tree(folder, {name.replace("_", "."): text for name, text in files.items()}))[0]

    def test_GivenLiveLinks_WhenChecked_ThenNoneIsNamed(self):
        self.assertEqual(self.failures(a_html='<a href="b.html#x">b</a><a href="https://h.org/">h</a><a href="#top">t</a>', b_html='<p id="x">'), [])

    def test_GivenDeadLinks_WhenChecked_ThenTheyAreNamed(self):
        found = self.failures(a_html='<a href="b.html#y">b</a><a href="c.html">c</a><img src="d.png">', b_html='<p id="x">')
        self.assertEqual(len(found), 3, found)

    def test_GivenLoadsOfOtherHosts_WhenChecked_ThenTheyAreNamed(self):
        found = self.failures(a_html='<script src="https://h.org/x.js"></script><link rel="preconnect" href="https://f.org"><p style="background:url(//g.org/a.png)"><style>@import "https://i.org/a.css";</style>',
                              b_css="a { background: url(https://k.org/a.png) } b { background: url(data:image/png;base64,) }")
        self.assertEqual(len(found), 5, found)


class Repository(unittest.TestCase):
    def test_GivenAllPages_WhenStaged_ThenEachHasAShelfAndNoLinkIsDead(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(pages.stage(Path(folder) / "pages")[1], [])


if __name__ == "__main__":
    unittest.main()
