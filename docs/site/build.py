#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the site: pages.py stages the pages, MkDocs makes HTML of them, and check.py looks for links that lead nowhere.

    docs/site/build.py --out build/docs     # needs MkDocs and its theme; ./dev docs installs them"""
import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

import check
import pages


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=pages.ROOT / "build/docs", help="pages/, mkdocs.yml and site/ are made in this folder")
    out = parser.parse_args().out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    navigation, missing = pages.stage(out / "pages")
    if missing:
        sys.exit("\n".join(missing))
    config = Path(__file__).with_name("mkdocs.yml").read_text(encoding="utf-8")
    folders = {"docs_dir": str(out / "pages"), "site_dir": str(out / "site"), "nav": navigation, "hooks": [str(Path(__file__).with_name("hooks.py"))]}
    # A flow mapping of YAML is JSON, so that no library writes it.
    (out / "mkdocs.yml").write_text(config + "".join(f"{key}: {json.dumps(value)}\n" for key, value in folders.items()), encoding="utf-8")
    subprocess.run([sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--config-file", str(out / "mkdocs.yml")], check=True,
                   env=os.environ | {"NO_MKDOCS_2_WARNING": "1"})
    failures, counts = check.check(out / "site")
    print("\n".join(failures), end="\n" if failures else "")
    print(f"{counts['pages']} pages, {counts['links']} links: {out / 'site/index.html'}")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
