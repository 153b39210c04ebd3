# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Timelines and sums of a program with known commands. Arguments: the case, the build folder, traced_program."""
import collections
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

import timeline_file

CASE, BUILD, PROGRAM = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
UPSWEEP = BUILD / "bin/upsweep"
BYTES = 4 << 16


def run(way, folder, **variables):
    environment = dict(os.environ, UPSWEEP_TRACE=str(folder / "trace.json"), **variables)
    return subprocess.run([PROGRAM, way], env=environment, capture_output=True, text=True, timeout=60)


def profile(way, folder, *options):
    words = [UPSWEEP, "profile", "--json", folder / "sums.json", "--trace", folder / "trace.json", *options, PROGRAM, way]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    return done, json.loads((folder / "sums.json").read_text())


def names(events):
    return collections.Counter(event["name"] for event in events)


def timeline(folder):
    """The commands, their order and the threads of one process."""
    done = run("commands", folder)
    assert done.returncode == 0 and not done.stderr, done
    events = timeline_file.read(folder / "trace.json")
    timeline_file.check(events)
    kernels = timeline_file.of_category(events, "kernel")
    assert names(kernels) == {"add_one": 11, "spin": 1}, names(kernels)
    assert all(event["args"]["global"] == [1 << 16, 1, 1] and event["args"]["buffer_bytes"] == BYTES for event in kernels)
    transfers = timeline_file.of_category(events, "transfer")
    assert names(transfers) == {"clEnqueueWriteBuffer": 1, "clEnqueueCopyBuffer": 2, "clEnqueueReadBuffer": 1}
    assert all(event["args"]["bytes"] == BYTES for event in transfers)
    waits = names(timeline_file.of_category(events, "wait"))
    assert waits == {"clEnqueueWriteBuffer": 1, "clFinish": 1, "clWaitForEvents": 1, "clEnqueueReadBuffer": 1}, waits
    assert names(timeline_file.of_category(events, "build")) == {"clBuildProgram": 1}
    # All work-groups of each launch are in threads' slices.
    groups = collections.Counter()
    for event in timeline_file.of_category(events, "work"):
        groups[event["args"]["command"]] += event["args"].get("work_groups", 0)
    for event in kernels:
        assert groups[event["args"]["command"]] == (1 << 16) // event["args"]["local"][0], event
    # The copy in the second queue waits for the tenth launch; an arrow from a user event has no start.
    by_number = {event["args"]["command"]: event for event in kernels + transfers}
    (before, after), = timeline_file.arrows(events)
    assert by_number[before]["name"] == "add_one" and by_number[after]["name"] == "clEnqueueCopyBuffer"
    assert sum(event["ts"] < by_number[before]["ts"] for event in kernels) == 9
    # A command of a queue begins after the end of the earlier command.
    for queue in {event["args"]["queue"] for event in by_number.values()}:
        of_queue = sorted((event["ts"], event["ts"] + event["dur"]) for event in by_number.values() if event["args"]["queue"] == queue)
        assert all(end <= begin + 0.002 for (_, end), (begin, _) in zip(of_queue, of_queue[1:])), of_queue
    for event in by_number.values():
        assert event["args"]["queued_us"] <= event["args"]["ready_us"] <= event["ts"] + 0.002, event
    memory = [event["args"]["bytes"] for event in events if event["ph"] == "C"]
    assert max(memory) == 2 * BYTES and memory == sorted(memory), memory  # the program releases none


def tables(folder):
    """The sums, with the causes of gaps."""
    done, sums = profile("commands", folder)
    assert done.returncode == 0, done
    timeline_file.check(timeline_file.read(folder / "trace.json"))
    assert (sums["processes"], sums["incomplete_processes"], sums["lost_records"]) == (1, 0, 0), sums
    kernels = {kernel["name"]: kernel for kernel in sums["kernels"]}
    assert kernels["add_one"]["count"] == 11 and kernels["spin"]["count"] == 1
    for kernel in kernels.values():
        assert kernel["work_items"] == kernel["count"] << 16 and kernel["buffer_bytes"] == kernel["count"] * BYTES
        assert not kernel["has_other_pointers"] and kernel["failed"] == 0
        assert kernel["least_ns"] <= kernel["mean_ns"] <= kernel["largest_ns"] and kernel["total_ns"] > 0
    assert {one["name"]: one["bytes"] for one in sums["transfers"]} == {
        "clEnqueueWriteBuffer": BYTES, "clEnqueueCopyBuffer": 2 * BYTES, "clEnqueueReadBuffer": BYTES}
    assert sum(build["compiled"] + build["cached"] for build in sums["builds"]) == 1
    assert sum(wait["count"] for wait in sums["waits"]) == 4
    assert sums["peak_bytes"] == 2 * BYTES
    first, second = sums["queues"]
    assert (first["commands"], second["commands"]) == (12, 4), sums["queues"]
    gaps = [{gap["cause"]: gap["total_ns"] for gap in queue["gaps"]} for queue in (first, second)]
    for of_queue in gaps:  # the thread sleeps after a blocking call, which the first queue's last command may outlast
        assert sum(ns for cause, ns in of_queue.items() if cause.startswith("the host")) >= 30e6, gaps
    assert gaps[1]["the host enqueues nothing after a blocking call"] >= 30e6, gaps
    assert gaps[1]["the command waits for another queue or a user event"] >= 20e6, gaps
    for text in ("add_one", "spin", "clEnqueueCopyBuffer", "clWaitForEvents", "exit status 0"):
        assert text in done.stderr, done.stderr
    # The table of a single kernel
    done, sums = profile("commands", folder, "--kernel", "spin", "--summary", folder / "table.txt")
    assert [kernel["name"] for kernel in sums["kernels"]] == ["spin"] and done.stderr == ""
    assert "spin" in (folder / "table.txt").read_text()


def threads(folder):
    """Many launches by several threads: no record is lost, and no slice is at a wrong place."""
    done, sums = profile("threads", folder)
    assert done.returncode == 0, done
    timeline_file.check(timeline_file.read(folder / "trace.json"))
    kernel, = sums["kernels"]
    assert kernel["count"] == 2000 and kernel["work_items"] == 2000 << 16, kernel
    assert sums["lost_records"] == 0 and len(sums["queues"]) == 4
    assert sum(one["name"] == "add_one" for one in timeline_file.of_category(timeline_file.read(folder / "trace.json"), "kernel")) == 2000


def crash(folder):
    """Up to the crash, both files are whole."""
    done, sums = profile("abort", folder)
    assert done.returncode == 128 + signal.SIGABRT and sums["signal"] == signal.SIGABRT, done
    assert sums["incomplete_processes"] == 1 and sums["kernels"][0]["count"] == 20
    assert "ended by signal 6" in done.stderr and "0.1 s may be missing" in done.stderr
    events = timeline_file.read(folder / "trace.json")
    timeline_file.check(events)
    assert names(timeline_file.of_category(events, "kernel")) == {"add_one": 20}


def killed(folder):
    """Without `upsweep profile` the array has no end after SIGKILL, and each whole line is an event."""
    path = folder / "trace.json"
    with subprocess.Popen([PROGRAM, "forever"], env=dict(os.environ, UPSWEEP_TRACE=str(path)), stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"ready\n"
        process.kill()
    events = timeline_file.read_torn(path)
    assert names(timeline_file.of_category(events, "kernel"))["add_one"] >= 20
    timeline_file.check(events)


def fork(folder):
    """A child adds to the same file, and has sums of its own."""
    done, sums = profile("fork", folder)
    assert done.returncode == 0, done
    assert sums["processes"] == 2 and sums["incomplete_processes"] == 0
    assert sums["kernels"][0]["count"] == 13
    events = timeline_file.read(folder / "trace.json")
    timeline_file.check(events)
    by_process = collections.Counter(event["pid"] for event in timeline_file.of_category(events, "kernel"))
    assert sorted(by_process.values()) == [3, 10], by_process


def status(folder):
    """The program's status, and mistakes before it runs."""
    done, sums = profile("status", folder)
    assert done.returncode == 7 and sums["status"] == 7

    def mistake(*words):
        failed = subprocess.run([UPSWEEP, "profile", *words], capture_output=True, text=True, timeout=20)
        return failed.returncode, failed.stderr

    assert mistake() == (2, "upsweep: PROGRAM is missing: the program to run, and its arguments\n")
    assert mistake("--trase", "x", PROGRAM)[0] == 2
    code, text = mistake("--trace", str(folder / "none/trace.json"), PROGRAM, "status")
    assert code == 1 and "cannot write" in text, text
    code, text = mistake(str(folder / "no-such-program"))
    assert code == 1 and "cannot start" in text, text
    # A file that cannot be written does not disturb the program.
    done = run("status", folder / "none")
    assert done.returncode == 7 and done.stderr == "", done


def gpu(folder):
    """The GPU in software passes through the same hooks."""
    done, sums = profile("transfers", folder)
    assert done.returncode == 0, done
    timeline_file.check(timeline_file.read(folder / "trace.json"))
    assert {one["name"]: one["bytes"] for one in sums["transfers"]} == {
        "clEnqueueWriteBuffer": BYTES, "clEnqueueCopyBuffer": BYTES, "clEnqueueFillBuffer": BYTES // 2, "clEnqueueReadBuffer": BYTES}
    # The software's reads take no time on its clock.
    assert all(one["total_ns"] > 0 for one in sums["transfers"] if one["name"] != "clEnqueueReadBuffer"), sums
    assert sums["peak_bytes"] == 2 * BYTES


with tempfile.TemporaryDirectory() as name:
    globals()[CASE](pathlib.Path(name))
