# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The examples of help texts work, and the texts fit their width."""

import re

from support import main


def all_commands(setting):
    return [setting.command, *setting.verbs.values()]


def run(setting):
    """Each example ends with status 0. The options of examples that measure the machine for a minute are only parsed here;
    the lit tests of `bench` and `demo` run them."""
    ran = 0
    for command in all_commands(setting):
        if command["name"] not in ("upsweep help", "upsweep compile"):
            assert 1 <= len(command["examples"]) <= 3, command["name"]
        for example in command["examples"]:
            if command["name"] in ("upsweep bench", "upsweep demo"):
                example += " --help"
            result = setting.run("bash", "-c", example)
            assert result.returncode == 0, (example, result)
            ran += 1
    assert setting.run("upsweepc", "--help").stdout.count("\n  upsweepc ") == 3
    for line in re.findall(r"^  (upsweepc .*)$", setting.run("upsweepc", "--help").stdout, re.M):
        result = setting.run("bash", "-c", line)
        assert result.returncode == 0, (line, result)
        ran += 1
    # Results of some, by hand.
    assert (setting.scratch / "sorted.csv").read_text() == "region,amount\nnorth,1\nnorth,3\nsouth,4\n"
    assert (setting.scratch / "totals.csv").read_text() == "4\n4\n"
    print(ran, "examples")


def width(setting):
    """No line of a help text is longer than the line of a pipe, except examples, which are to be copied."""
    for words in [["upsweep", "--help"], ["upsweepc", "--help"], *(["upsweep", name, "--help"] for name in setting.verbs)]:
        text = setting.run(*words).stdout
        for line in text.splitlines():
            assert len(line) <= 80 or line.startswith("  upsweep") or "|" in line, (words, line)
            assert line == line.rstrip(), (words, line)
        assert "\x1b" not in text


main({each.__name__: each for each in [run, width]})
