# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Manual pages without warnings, and completions in the shells that are installed."""

import re
import shutil
import subprocess

from support import main, skip

# Runs bash's completion of a line at its end, and prints the replies.
BASH = r"""
source "$1"; shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_${COMP_WORDS[0]}
printf '%s\n' "${COMPREPLY[@]}"
"""


def share(setting):
    return setting.build / "share"


def manuals(setting):
    """man and groff format each page without a warning, and mandoc finds nothing where it is installed."""
    pages = sorted((share(setting) / "man/man1").glob("*.1"))
    assert len(pages) == len(setting.verbs) - 2 + 2, pages  # no page of compile and help, but those of both commands
    tried = 0
    for page in pages:
        for command in [["groff", "-man", "-ww", "-Tutf8", page], ["man", "--warnings=w", "-l", page]]:
            if not shutil.which(command[0]):
                continue
            for columns in ["80", "120"]:
                result = subprocess.run(command, capture_output=True, text=True, env=setting.environment | {"MANWIDTH": columns, "MANPAGER": "cat"})
                assert result.returncode == 0 and result.stderr == "", (command, result.stderr)
                tried += 1
        if shutil.which("mandoc"):
            said = subprocess.run(["mandoc", "-Tlint", "-Wwarning", page], capture_output=True, text=True).stdout
            # A date would differ between builds of the same source.
            rest = [line for line in said.splitlines() if "missing date" not in line]
            assert not rest, rest
            tried += 1
    if not tried:
        skip("neither groff, man nor mandoc is installed")
    text = (share(setting) / "man/man1/upsweep-scan.1").read_text()
    for word in ["\\fB\\-\\-by\\-key\\fR \\fIFILE\\fR", ".SH EXIT STATUS", "upsweep scan a.npy \\-\\-out totals.npy"]:
        assert word in text, word


def every_option(setting):
    """The page of a verb has each of its options, and so has each completion."""
    fish = (share(setting) / "fish/vendor_completions.d/upsweep.fish").read_text()
    zsh = (share(setting) / "zsh/site-functions/_upsweep").read_text()
    for name, verb in setting.verbs.items():
        for option in verb["options"]:
            spelling = option["names"][-1]
            if name not in ("compile", "help"):
                page = (share(setting) / f"man/man1/upsweep-{name}.1").read_text()
                assert f"\\fB{spelling.replace('-', chr(92) + '-')}\\fR" in page, (name, spelling)
            assert spelling in zsh, (name, spelling)
            flag = f"-l {spelling[2:]} " if spelling.startswith("--") else f"{spelling[1:]} "
            assert flag in "".join(line for line in fish.splitlines(True) if f"from {name}'" in line), (name, spelling)


def complete(setting, *words):
    file = share(setting) / "bash-completion/completions" / words[0]
    result = setting.run("bash", "-uc", BASH, "bash", file, *words)
    assert result.returncode == 0 and result.stderr == "", result
    return sorted(result.stdout.split())


def bash(setting):
    """Verbs, options, files, folders and words of options, behind a blank and behind '='."""
    assert complete(setting, "upsweep", "") == sorted(setting.verbs)
    assert complete(setting, "upsweep", "s") == ["sat", "scan", "select", "sort"]
    assert complete(setting, "upsweep", "--v") == ["--version"]
    assert complete(setting, "upsweep", "help", "bl") == ["blur"]
    for name, verb in setting.verbs.items():
        names = [each + ("=" if option["sign"] == "=" and option["value"] else "") for option in verb["options"] for each in option["names"]]
        assert complete(setting, "upsweep", name, "-") == sorted(names), name
        for option in verb["options"]:
            words = ["upsweep", name, option["names"][-1]]
            files = "FILE" in option["value"].split("|")
            if option["words"] and option["value"]:
                for line in [[*words, ""]] if option["sign"] == " " else [[*words, "=", ""], [*words, "="]]:
                    assert complete(setting, *line) == sorted(option["words"]), line
            if files:
                assert complete(setting, *words, "a.") == ["a.npy"], words
                assert complete(setting, *words, "=", "a.") == ["a.npy"], words
    assert complete(setting, "upsweep", "scan", "a.npy", "--by-") == ["--by-key"]
    assert complete(setting, "upsweep", "scan", "a.npy", "--op", "m") == ["max", "min"]
    assert complete(setting, "upsweep", "scan", "sal") == ["sales.csv"]
    assert complete(setting, "upsweep", "scan", "--axis", "") == []
    assert complete(setting, "upsweep", "info", "") == []
    assert complete(setting, "upsweepc", "--emit", "=", "as") == ["asm"]
    assert complete(setting, "upsweepc", "-cl-m") == ["-cl-mad-enable"]
    assert complete(setting, "upsweepc", "--em") == ["--emit="]
    assert complete(setting, "upsweepc", "sc") == ["scan.cl"]
    (setting.scratch / "a folder").mkdir()
    assert complete(setting, "upsweep", "bench", "--out", "a f") == ["a", "folder"]
    assert complete(setting, "upsweep", "bench", "--out", "sal") == []


def other_shells(setting):
    """zsh and fish read their files, and fish completes a line, where they are installed."""
    tried = 0
    for command in ["upsweep", "upsweepc"]:
        zsh = share(setting) / f"zsh/site-functions/_{command}"
        fish = share(setting) / f"fish/vendor_completions.d/{command}.fish"
        for words in [["zsh", "-n", zsh], ["fish", "-n", fish]]:
            if shutil.which(words[0]):
                result = setting.run(*words)
                assert result.returncode == 0 and result.stderr == "", result
                tried += 1
    if shutil.which("fish"):
        def complete_by_fish(line):
            result = setting.run("fish", "--no-config", "-c", f"source {fish.with_name('upsweep.fish')}; complete -C '{line}'")
            return {row.split("\t")[0] for row in result.stdout.splitlines()}

        assert complete_by_fish("upsweep s") == {"sat", "scan", "select", "sort"}
        assert complete_by_fish("upsweep scan --op m") == {"max", "min"}
        assert "--by-key" in complete_by_fish("upsweep scan --b")
        assert complete_by_fish("upsweep info --device ") == {"cpu", "gpu"}
        assert "a.npy" in complete_by_fish("upsweep scan a")
    if not tried:
        skip("neither zsh nor fish is installed")


main({each.__name__: each for each in [manuals, every_option, bash, other_shells]})
