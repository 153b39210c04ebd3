# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page docs/scans-that-move.html in Chromium: each algorithm's results against sums in Python for 1,000 random inputs, its counters against
the textbooks' formulas, keys, steps back, wrong inputs, narrow windows, and no request but for itself. Status 77 without a Chromium."""
import itertools
import json
import math
import random
import sys
from pathlib import Path

from browser import Browser, program

PAGE = Path(__file__).resolve().parents[1] / "scans-that-move.html"
INPUTS, SEED = 1000, 20260119
INCLUSIVE = {"Hillis–Steele", "Look-back"}
EXCLUSIVE = {"One work-item", "Blelloch", "Blelloch, padded", "Three kernels"}
RUN_ALL = """JSON.stringify(Object.fromEntries(Object.entries(kRungs).map(([name, rung]) => [name, %s.map(numbers => {
  const {out, frames, count} = rung.run(numbers);
  const lines = rung.code.split("\\n").length;
  return {out, count, steps: frames.length, lit: frames.every(frame => frame.lines.length && frame.lines.every(line => line < lines))};
})])))"""
SHOWN = "document.querySelector('#stage').innerHTML + document.querySelector('#note').textContent + document.querySelector('table').textContent"
LAST_ROW = "document.querySelector('#stage').getAttribute('aria-label').split('; ').at(-1).split(': ')[1]"
PLACE = "document.querySelector('#place').textContent"
PRESSED = "document.querySelector('#rungs [aria-pressed=true]').textContent"


def totals(numbers, inclusive):
    sums = list(itertools.accumulate(numbers))
    return sums if inclusive else [0, *sums[:-1]]


def check_results(browser):
    generator = random.Random(SEED)
    inputs = [[generator.randint(-999999, 999999) for _ in range(generator.randint(1, 16))] for _ in range(INPUTS)]
    inputs[:16] = [list(range(1, n + 1)) for n in range(1, 17)]  # each length at least once
    found = json.loads(browser.run(RUN_ALL % json.dumps(inputs)))
    assert set(found) == INCLUSIVE | EXCLUSIVE, set(found)
    for name, results in found.items():
        for numbers, result in zip(inputs, results, strict=True):
            assert result["out"] == totals(numbers, name in INCLUSIVE), (name, numbers, result["out"])
            assert result["lit"], (name, numbers)
            check_counts(name, len(numbers), result["count"])
    print(f"{len(found)} algorithms, {INPUTS} inputs each, seed {SEED}: all results as Python's sums")


def check_counts(name, n, count):
    leaves = max(2, 2 ** math.ceil(math.log2(n)))
    if name == "One work-item":
        assert (count["work"], count["depth"]) == (n, n), (name, n, count)
    if name == "Hillis–Steele":
        steps = math.ceil(math.log2(n))
        assert (count["work"], count["depth"]) == (sum(n - 2**d for d in range(steps)), steps), (name, n, count)
    if name.startswith("Blelloch"):
        assert count["work"] == 2 * (leaves - 1) and count["depth"] <= 2 * math.log2(leaves), (name, n, count)
        assert name == "Blelloch" and (count["conflicts"] > 0) == (leaves > 4) or name != "Blelloch" and count["conflicts"] == 0, (name, n, count)
    tiles = math.ceil(n / 4)
    traffic = {"Three kernels": (2 * n + 2 * tiles, 2 * n + 2 * tiles)}.get(name, (n, n))
    if name == "Look-back":
        looks = (tiles - 1) + max(0, tiles - 2)  # the last tile looks at all, each other one at the tile before it
        traffic = (n + looks, n + tiles + tiles - 1)
    assert (count["reads"], count["writes"]) == traffic, (name, n, count)


def type_numbers(browser, text):
    browser.run("document.querySelector('#numbers').select(); document.querySelector('#numbers').focus()")
    browser.call("Input.insertText", text=text)
    browser.key("Enter", 13, "\r")


def check_keys(browser):
    type_numbers(browser, "5, -3 8;1 7 2 2")
    numbers = [5, -3, 8, 1, 7, 2, 2]
    assert not browser.run("document.querySelector('#error').textContent")
    browser.run("document.activeElement.blur()")
    for number, name in enumerate(["One work-item", "Hillis–Steele", "Blelloch", "Blelloch, padded", "Three kernels", "Look-back"], 1):
        browser.key(str(number), 48 + number)
        assert browser.run(PRESSED) == name
        steps, forwards = int(browser.run(PLACE).split("/")[1]), []
        for step in range(steps):
            assert browser.run(PLACE) == f"{step + 1} / {steps}", (name, browser.run(PLACE))
            forwards.append(browser.run(SHOWN))
            browser.key("ArrowRight", 39)
        assert len(set(forwards)) == steps, f"{name}: two steps show the same"
        for shown in reversed(forwards):
            assert browser.run(SHOWN) == shown, f"{name}: a step back shows something else"
            browser.key("ArrowLeft", 37)
        browser.key("End", 35)
        assert browser.run(LAST_ROW) == " ".join(map(str, totals(numbers, name in INCLUSIVE))), (name, browser.run(LAST_ROW))
        browser.key("Home", 36)
        assert browser.run(PLACE) == f"1 / {steps}"
        browser.key(" ", 32)
        assert browser.run("document.querySelector('#play').textContent") == "Pause"
        browser.key(" ", 32)
        assert browser.run("document.querySelector('#play').textContent") == "Play"


def check_inputs(browser):
    before = browser.run(SHOWN)
    for text in ("", "1 2 x", "1.5", "1 " * 17, "12345678"):
        type_numbers(browser, text)
        assert browser.run("document.querySelector('#error').textContent"), text
        assert browser.run(SHOWN) == before, text
    browser.key("ArrowRight", 39)  # the text has the focus and keeps its keys
    assert browser.run(SHOWN) == before


def check_windows(browser):
    for width, dark in itertools.product((1280, 390, 320), (False, True)):
        browser.window(width, 844, dark, phone=width < 500)
        assert browser.run("document.documentElement.scrollWidth") <= width, width
    colour = browser.run("getComputedStyle(document.body).backgroundColor")
    browser.window(1280, 844, dark=False)
    assert colour != browser.run("getComputedStyle(document.body).backgroundColor")


def main():
    if not program():
        print("skipped: there is no Chromium (Debian's package chromium, or UPSWEEP_CHROMIUM)")
        sys.exit(77)
    with Browser() as browser:
        browser.window(1280, 844)
        browser.open(PAGE.as_uri())
        check_results(browser)
        check_keys(browser)
        check_inputs(browser)
        check_windows(browser)
        assert browser.requests == [PAGE.as_uri()], browser.requests
        assert not browser.errors, browser.errors


if __name__ == "__main__":
    main()
