# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Hooks of MkDocs: the theme's script for sites that are opened as files is one of this folder, and none of another host."""
from mkdocs.utils import get_relative_url

SHIM = "https://unpkg.com/iframe-worker/shim"


def on_post_page(output, page, config):
    return output.replace(SHIM, get_relative_url("site/worker.js", page.url))


def on_post_template(output_content, template_name, config):
    return output_content.replace(SHIM, "/site/worker.js")
