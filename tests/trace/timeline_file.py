# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads a timeline and checks it against the rules of the Trace Event Format that viewers rely on."""
import json

KNOWN_PHASES = {"X", "M", "C", "s", "f"}


def read(path):
    """All events, of a file with a whole array; raises ValueError for any other text."""
    with open(path, encoding="utf-8") as file:
        events = json.load(file)
    if not isinstance(events, list):
        raise ValueError("the file is not an array")
    return events


def read_torn(path):
    """The events of a file whose end is missing, as viewers read it: its whole lines."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if not text.startswith("[\n"):
        raise ValueError("the array does not begin")
    lines = text[2:text.rindex("\n") + 1].splitlines()
    return [json.loads(line.rstrip(",")) for line in lines if line != "]"]


def check(events):
    """Raises AssertionError for an event that a viewer drops or shows at the wrong place."""
    slices, flows = {}, {}
    for event in events:
        assert event["ph"] in KNOWN_PHASES, event
        assert isinstance(event["pid"], int), event
        if event["ph"] == "M":
            assert isinstance(event["args"], dict) and event["name"], event
            continue
        assert isinstance(event["ts"], (int, float)) and event["ts"] > 0, event
        if event["ph"] == "C":
            assert all(value >= 0 for value in event["args"].values()) and event["args"], event
            continue
        assert isinstance(event["tid"], int) and event["name"] and event["cat"], event
        track = (event["pid"], event["tid"])
        if event["ph"] == "X":
            assert event["dur"] >= 0, event
            slices.setdefault(track, []).append((nanoseconds(event["ts"]), nanoseconds(event["dur"]), event))
        else:
            flows.setdefault(event["id"], []).append((event["ph"], nanoseconds(event["ts"]), track, event))
    for of_track in slices.values():
        check_nesting(of_track)
    for ends in flows.values():
        check_flow(ends, slices)
    names = {(event["pid"], event.get("tid")) for event in events if event["ph"] == "M" and event["name"] == "thread_name"}
    assert set(slices) <= names, "a track has no name"
    processes = {event["pid"] for event in events if event["ph"] == "M" and event["name"] == "process_name"}
    assert {pid for pid, _ in slices} <= processes, "a process has no name"


def nanoseconds(us):
    return round(us * 1000)


def check_nesting(of_track):
    """Slices of a track lie inside each other or apart."""
    open_ends = []
    for begin, length, event in sorted(of_track, key=lambda one: (one[0], -one[1])):
        while open_ends and open_ends[-1] <= begin:
            open_ends.pop()
        assert not open_ends or begin + length <= open_ends[-1], f"{event} crosses another slice"
        open_ends.append(begin + length)


def check_flow(ends, slices):
    """An arrow has a start and an end, later than the start, and each lies in a slice."""
    assert sorted(phase for phase, *_ in ends) == ["f", "s"], ends
    times = {phase: time for phase, time, *_ in ends}
    assert times["s"] <= times["f"], ends
    for phase, time, track, event in ends:
        assert phase != "f" or event["bp"] == "e", event
        assert any(begin <= time <= begin + length for begin, length, _ in slices.get(track, [])), f"{event} is in no slice"


def arrows(events):
    """(from, to) as numbers of commands."""
    found = {}
    for event in events:
        if event["ph"] not in "sf":
            continue
        time, track = nanoseconds(event["ts"]), (event["pid"], event["tid"])
        inside = [one for one in events if one["ph"] == "X" and (one["pid"], one["tid"]) == track
                  and nanoseconds(one["ts"]) <= time <= nanoseconds(one["ts"]) + nanoseconds(one["dur"])]
        # An arrow at the border of two slices starts in the earlier slice and ends in the later slice.
        inside.sort(key=lambda one: one["ts"])
        found.setdefault(event["id"], {})[event["ph"]] = inside[0 if event["ph"] == "s" else -1]["args"]["command"]
    return sorted((ends["s"], ends["f"]) for ends in found.values())


def of_category(events, category):
    return [event for event in events if event.get("cat") == category and event["ph"] == "X"]
