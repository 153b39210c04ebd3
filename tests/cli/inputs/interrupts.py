# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Verbs that are interrupted leave no part of a file, and an existing file unchanged: by signals, by a limit on the size of
# files, by an input that is truncated. `interrupts.py FOLDER`.
import os
import resource
import shutil
import signal
import subprocess
import sys
import time

from arrays import expect_files, header, load, run, save

COUNT = 1 << 28  # bytes of a sparse input; its sums are 2 GiB, and no test waits for their end

folder = sys.argv[1]
shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)
place = lambda name: os.path.join(folder, name)
with open(place("large.npy"), "wb") as file:
    file.write(header("|u1", (COUNT,)))
    file.truncate(128 + COUNT)
with open(place("out.npy"), "wb") as file:
    file.write(b"what was there")


# The program that runs the tests may ignore signals, and its children inherit that.
def heed_signals():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


# Starts the command and waits until its unfinished file has bytes.
def start():
    verb = subprocess.Popen(["upsweep", "scan", place("large.npy"), "--out", place("out.npy")], stderr=subprocess.PIPE, text=True,
                            preexec_fn=heed_signals)
    for _ in range(3000):
        parts = [name for name in os.listdir(folder) if name.endswith(".part")]
        if parts and os.path.getsize(place(parts[0])) > 0:
            return verb
        assert verb.poll() is None, verb.stderr.read()
        time.sleep(0.01)
    raise AssertionError("nothing is written")


def expect_untouched():
    expect_files(folder, ["large.npy", "out.npy"])
    assert open(place("out.npy"), "rb").read() == b"what was there"


for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    verb = start()
    verb.send_signal(number)
    _, error = verb.communicate(timeout=60)
    assert verb.returncode == -number and error == "", (verb.returncode, error)
    expect_untouched()

# The limit holds for files, text and a kernel's results.
def limit_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 22, 1 << 22))


error = run("scan", place("large.npy"), "--out", place("out.npy"), fails=True, preexec_fn=limit_files)
assert error == f"upsweep: cannot write '{place('out.npy')}': File too large\n", error
expect_untouched()
error = run("scan", place("large.npy"), "--out", place("out.csv"), fails=True, preexec_fn=limit_files)
assert error == f"upsweep: cannot write '{place('out.csv')}': File too large\n", error
expect_untouched()
kernel = os.path.join(os.path.dirname(__file__), "one.cl")
run("run", kernel, "--global", "1", "--arg", "zeros:int:1", "--build-options=-DVALUE=1")  # compile now, since the compiler writes larger files
error = run("run", kernel, "--global", "1", "--arg", "zeros:int:2000000", "--build-options=-DVALUE=1", "--out", f"0={place('out.npy')}",
            fails=True, preexec_fn=limit_files)
assert error == f"upsweep: cannot write '{place('out.npy')}': File too large\n", error
expect_untouched()

verb = start()
os.truncate(place("large.npy"), 4096)
_, error = verb.communicate(timeout=60)
assert verb.returncode == 1 and error.startswith("upsweep: a file cannot be read to its end"), (verb.returncode, error)
expect_untouched()

# An existing file is replaced and keeps its permissions; a link stays, and its target is replaced.
save(place("x.npy"), "<i4", [1, 2, 3])
os.chmod(place("out.npy"), 0o640)
os.symlink(place("out.npy"), place("link.npy"))
run("scan", place("x.npy"), "--out", place("link.npy"))
assert os.path.islink(place("link.npy")) and load(place("out.npy"))[3] == [1, 3, 6]
assert os.stat(place("out.npy")).st_mode & 0o777 == 0o640
run("scan", place("out.npy"), "--out", place("out.npy"))  # the output is its own input
assert load(place("out.npy"))[3] == [1, 4, 10]
print("nothing is left")
shutil.rmtree(folder)
