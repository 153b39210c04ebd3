# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The commands in a pseudo-terminal: the progress bar is gone before the summary, and nothing of it goes to a pipe. The cache
of compiled programs: what is shown, what a purge removes, and what stays."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import time

from support import ROOT, main

BAR = re.compile(r"\r(\w+)(, step \d+)? [█░#.]+ +\d+ %  \d+ s")


def screen(text: str) -> str:
    """The lines that a terminal shows after carriage returns and erasures."""
    lines, at = [""], 0
    for part in re.findall(r"\r|\n|\x1b\[K|\x1b\[[0-9;]*m|[^\r\n\x1b]+", text):
        if part == "\n":
            lines.append("")
            at = 0
        elif part == "\r":
            at = 0
        elif part == "\x1b[K":
            lines[-1] = lines[-1][:at]
        elif not part.startswith("\x1b"):
            lines[-1] = lines[-1][:at] + part + lines[-1][at + len(part):]
            at += len(part)
    return "\n".join(lines)


def slow_run(setting, *words, stdout=None, stderr=None, columns=80):
    """Runs a verb on a table from standard input that takes longer than the second after which the bar appears. Standard
    output and error go to a terminal unless they are given. Returns the terminal's bytes, the status and standard output."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    attributes = termios.tcgetattr(follower)
    attributes[1] &= ~termios.ONLCR  # "\n" stays as it is
    termios.tcsetattr(follower, termios.TCSANOW, attributes)
    child = subprocess.Popen([str(word) for word in words], cwd=setting.scratch, env=setting.environment | {"TERM": "xterm"},
                             stdin=subprocess.PIPE, stdout=stdout or follower, stderr=stderr or follower)
    os.close(follower)
    table = "x\n" + "".join(f"{i * 7919 % 1000003}\n" for i in range(60000))
    child.stdin.write(table.encode())  # more than a pipe holds, so the verb has begun when this returns
    child.stdin.flush()
    time.sleep(1.1)  # longer than the bar's delay
    child.stdin.close()
    seen = b""
    try:
        while piece := os.read(leader, 65536):
            seen += piece
    except OSError:
        pass  # the last writer has closed the terminal
    os.close(leader)
    out = child.stdout.read().decode() if child.stdout else ""
    error = child.stderr.read().decode() if child.stderr else ""
    return seen.decode(), child.wait(), out, error


def bar(setting):
    """On a terminal each verb shows its bar and erases it before the summary."""
    for words in [["scan"], ["reduce"], ["sort", "--arg"], ["sort"], ["sort", "--out", "rows.csv"], ["unique"],
                  ["select", "--where", "x > 5"], ["histogram"], ["sort", "--descending", "--out", "-"]]:
        verb, *options = words
        seen, status, _, _ = slow_run(setting, "upsweep", verb, "-", "--column", "x", *options)
        assert status == 0, seen
        bars = BAR.findall(seen)
        assert bars and all(name == verb for name, _ in bars), (words, seen[:200])
        lines = screen(seen).splitlines()
        if options[-1:] == ["-"]:
            assert lines[0] == "x" and len(lines) == 60001 and all(line.isdigit() for line in lines[1:]), (words, lines[:3])
        else:
            assert lines[0].startswith("input   ") and all(re.match("[a-z]+ +[^ ]", line) for line in lines), (words, lines)


def pipes(setting):
    """Nothing of the bar goes to a pipe, and standard output has no escape even where standard error has the bar."""
    _, status, out, error = slow_run(setting, "upsweep", "sort", "-", "--column", "x", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert status == 0 and error == "" and "\x1b" not in out and "\r" not in out and out.startswith("input   "), (out, error)
    seen, status, out, _ = slow_run(setting, "upsweep", "sort", "-", "--column", "x", stdout=subprocess.PIPE)
    assert status == 0 and BAR.search(seen) and screen(seen) == "" and "\x1b" not in out and "\r" not in out, (seen, out)
    seen, status, _, _ = slow_run(setting, "upsweep", "sort", "-", "--column", "x", "--quiet")
    assert status == 0 and seen == "", seen


def width(setting):
    """Help texts and lists of verbs take the terminal's width."""
    for columns in (80, 120):
        leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        with subprocess.Popen(["upsweep", "help", "scan"], env=setting.environment, stdout=follower, stderr=follower):
            os.close(follower)
            seen = b""
            try:
                while piece := os.read(leader, 65536):
                    seen += piece
            except OSError:
                pass
        os.close(leader)
        longest = max(len(line) for line in seen.decode().splitlines() if "|" not in line and not line.startswith("  upsweep"))
        assert columns - 15 < longest <= columns, (columns, longest)


def rows(text):
    """The first words behind the titles of `upsweep cache`."""
    return {line[:8].strip(): line[8:] for line in text.splitlines() if line[:1] != " "}


def cache(setting):
    """Place, size and bound; a purge removes programs alone, and says what stays."""
    place = setting.scratch / "cache/upsweep"
    said = rows(setting.run("upsweep", "cache").stdout)
    assert said["place"] == str(place) and said["size"] == "0.0 MiB in 0 compiled programs" and said["bound"].startswith("1024 MiB"), said
    run = ["upsweep", "run", ROOT / "examples/scan.cl", "--global", "8", "--local", "8", "--arg", "range:int:8", "--arg", "zeros:int:8"]
    assert setting.run(*run).returncode == 0
    programs = [path for path in place.rglob("*") if path.is_file() and path.name != "evicted"]
    assert len(programs) == 1 and " in 1 compiled program" in rows(setting.run("upsweep", "cache").stdout)["size"]
    bound = setting.run("upsweep", "cache", env=setting.environment | {"UPSWEEP_CACHE_MIB": "7"})
    assert rows(bound.stdout)["bound"].startswith("7 MiB")
    # Files that are not the cache's: beside entries, with an entry's name, and links to an entry and to a folder.
    folder = programs[0].parent
    (folder / "notes").write_text("mine")
    (folder / ("a" * 30)).write_text("mine, with an entry's name")
    (folder / ("b" * 30)).symlink_to(programs[0])
    (place / "letter").write_text("dear")
    outside = setting.scratch / "outside"
    outside.mkdir()
    (outside / ("c" * 30)).write_bytes(programs[0].read_bytes())
    (place / "0f").symlink_to(outside) if folder.name != "0f" else (place / "0e").symlink_to(outside)
    size = programs[0].stat().st_size
    said = setting.run("upsweep", "cache", "--purge").stdout
    assert f"{size / 2**20:.1f} MiB in 1 compiled program" in rows(said)["removed"], said
    assert rows(said)["stays"].startswith("5 files, links and folders that Upsweep did not make"), said
    left = sorted(str(path.relative_to(place)) for path in place.rglob("*") if not path.is_dir() or path.is_symlink())
    assert len(left) == 5 and not programs[0].exists() and (outside / ("c" * 30)).exists(), left
    assert setting.run(*run).returncode == 0 and programs[0].exists()  # and is filled again


def races(setting):
    """Purges beside builds: every build succeeds, and a last purge leaves no program."""
    run = ["upsweep", "run", str(ROOT / "examples/scan.cl"), "--global", "8", "--local", "8", "--arg", "range:int:8", "--arg",
           "zeros:int:8", "--print", "out", "--build-options"]
    builds = [subprocess.Popen([*run, f"-DN={i}"], env=setting.environment, stdout=subprocess.PIPE, text=True) for i in range(6)]
    while any(build.poll() is None for build in builds):
        assert setting.run("upsweep", "cache", "--purge").returncode == 0
    for build in builds:
        assert "out = 0 1 3 6 10 15 21 28" in build.communicate()[0] and build.returncode == 0
    assert setting.run("upsweep", "cache", "--purge").returncode == 0
    # A compiler server that ends now may write the time of its last eviction.
    left = [path.name for path in (setting.scratch / "cache/upsweep").rglob("*") if path.is_file()]
    assert left in ([], ["evicted"]), left


main({each.__name__: each for each in [bar, pipes, width, cache, races]})
