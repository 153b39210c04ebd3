# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cost of a trace: microseconds of a launch in a row, and of processors, with the trace off, and with the timeline and the
sums on, as JSON. The processors' time includes the thread that writes the files.
The ways run in turns, and each figure is the least of all turns. Arguments: traced_program, number of turns."""
import json
import os
import subprocess
import sys
import tempfile

PROGRAM, TURNS = sys.argv[1], int(sys.argv[2])
# Loop turns of a work-item, launches in a row
SIZES = [(0, 300), (4, 200), (16, 100)]


def microseconds(size, folder):
    variables = dict(os.environ)
    if folder:
        variables.update(UPSWEEP_TRACE=folder + "/trace.json", UPSWEEP_PROFILE=folder)
    done = subprocess.run([PROGRAM, "row", *map(str, size)], env=variables, capture_output=True, text=True, check=True)
    return [float(word) for word in done.stdout.split()]


results = []
with tempfile.TemporaryDirectory() as folder:
    for size in SIZES:
        off, on = [], []
        for _ in range(TURNS):
            off.append(microseconds(size, None))
            on.append(microseconds(size, folder))
        row = {"loop_turns": size[0], "launches": size[1]}
        for name, index in (("", 0), ("processor_", 1)):
            least_off, least_on = min(one[index] for one in off), min(one[index] for one in on)
            row.update({name + "off_us": least_off, name + "on_us": least_on,
                        name + "cost_percent": round(100 * (least_on / least_off - 1), 2)})
        results.append(row)
json.dump({"bench": "trace_cost", "turns": TURNS, "results": results}, sys.stdout, indent=1)
print()
