# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the site and looks at it: `site_test.py links PYTHON`, with MkDocs in that Python, finds dead links; `browser` opens pages in
Chromium, searches, and sees no request to another host. Status 77, and the reason, where a tool is missing."""
import subprocess
import sys
import tempfile
from pathlib import Path

from browser import Browser, program

HERE = Path(__file__).resolve().parent
SEARCH = """(async () => {
  const box = document.querySelector("[data-md-component=search-query]");
  document.querySelector("[data-md-toggle=search]").click();
  box.focus();
  box.value = "ladder";
  box.dispatchEvent(new Event("keyup"));
  box.dispatchEvent(new Event("input"));
  while (!document.querySelector(".md-search-result__link")) await new Promise(done => setTimeout(done, 50));
  return [...document.querySelectorAll(".md-search-result__link")].map(link => link.getAttribute("href"));
})()"""
WIDTH = "[document.documentElement.scrollWidth, innerWidth]"
SCHEME = "document.body.getAttribute('data-md-color-scheme')"


def skip(reason):
    print("skipped: " + reason)
    sys.exit(77)


def look(site):
    with Browser() as browser:
        for page in ("index.html", "cuda.html", "opencl-support.html", "benchmarks/cpu_library.html"):
            for width, dark in ((1280, False), (390, True)):
                browser.window(width, 844, dark, phone=width < 500)
                browser.open((site / page).as_uri())
                browser.run("localStorage.clear()")  # the theme keeps the first choice
                browser.open((site / page).as_uri())
                assert browser.run(SCHEME) == ("slate" if dark else "default"), page
                content, window = browser.run(WIDTH)
                assert content <= window, f"{page} is {content} pixels wide in a window of {window}"
        browser.open((site / "index.html").as_uri())
        found = browser.run(SEARCH)
        assert any("ladder" in link for link in found), found
        others = [url for url in browser.requests if not url.startswith(("file:", "data:", "about:", "blob:"))]
        assert not others, others
        assert not browser.errors, browser.errors
        print(f"{len(browser.requests)} requests, all of them files; {len(found)} results of a search")


def main():
    case, python = sys.argv[1:3]
    if subprocess.run([python, "-c", "import mkdocs, material"], capture_output=True).returncode if Path(python).exists() else True:
        skip("there is no MkDocs with its theme; ./dev docs installs them")
    if case == "browser" and not program():
        skip("there is no Chromium (Debian's package chromium, or UPSWEEP_CHROMIUM)")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([python, "-B", HERE / "build.py", "--out", folder], check=True)
        if case == "browser":
            look(Path(folder) / "site")


if __name__ == "__main__":
    main()
