# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`upsweep bench-kernel` on versions in files and in a git repository of its own."""
import json
import os
import pathlib
import shutil
import subprocess
import sys

FAST = "kernel void f(global const float *in, global float *out) { out[get_global_id(0)] = in[get_global_id(0)] + 1; }\n"
SLOW = """kernel void f(global const float *in, global float *out) {
  float x = in[get_global_id(0)];
  for (int i = 0; i < 2000; ++i) x = x * 1.0001f + 0.5f;
  out[get_global_id(0)] = in[get_global_id(0)] + (x == 0.125f ? 2 : 1);
}
"""
LARGER = FAST.replace("+ 1;", "+ 1.00001f;")
INTEGER = FAST.replace("float", "int")
SIZE = 4096
ARGUMENTS = ["--device", "cpu", "--turns", "20", "--global", str(SIZE), "--local", "64"]
DATA = ["--arg", f"random:float:{SIZE}", "--arg", f"zeros:float:{SIZE}"]
UPSWEEP = shutil.which("upsweep")


def bench(file, against, *more, data=DATA, **settings):
    words = [UPSWEEP, "bench-kernel", file, "--against", against, *ARGUMENTS, *data, *more]
    return subprocess.run(words, capture_output=True, text=True, timeout=120, **settings)


def fails(result, status, *texts):
    assert result.returncode == status, result
    for text in texts:
        assert text in result.stderr, (text, result)


def measured(result, status):
    assert result.returncode == status, result
    read = json.loads(result.stdout)
    ratio = read["ratio"]
    assert 0 < ratio["low"] <= ratio["median"] <= ratio["high"] and read["confidence"] == 0.95, read
    assert read["turns"] == 20 and read["kernel"] == "f", read
    for version in (read["now"], read["earlier"]):
        assert 0 < version["best_ns"] <= version["median_ns"], read
    return read


def files():
    """Faster, slower and equal versions."""
    read = measured(bench("slow.cl", "fast.cl", "--fail-above", "1.5", "--json"), 1)
    assert read["fails"] and read["ratio"]["low"] > 1.5 and read["fail_above"] == 1.5, read
    assert read["now"]["version"] == "slow.cl" and read["earlier"]["version"] == "fast.cl", read
    fails(bench("slow.cl", "fast.cl", "--fail-above", "1.5"), 1, "the kernel is slower: the ratio's interval begins at")
    read = measured(bench("fast.cl", "slow.cl", "--fail-above", "1.5", "--json"), 0)
    assert not read["fails"] and read["ratio"]["high"] < 0.67, read
    read = measured(bench("slow.cl", "slow.cl", "--fail-above", "2", "--json"), 0)
    assert read["ratio"]["low"] < 1.5 and read["ratio"]["high"] > 0.67, read
    assert measured(bench("slow.cl", "fast.cl", "--json"), 0)["fail_above"] is None
    text = bench("slow.cl", "fast.cl")
    assert text.returncode == 0 and "slow.cl" in text.stdout and ": slower" in text.stdout, text


def results():
    """Results that differ fail, unless the tolerance admits them."""
    fails(bench("larger.cl", "fast.cl"), 1, "the results differ: element", "of 'out' is", "in the earlier version")
    assert bench("larger.cl", "fast.cl", "--tolerance", "1e-4").returncode == 0
    fails(bench("larger.cl", "fast.cl", "--tolerance", "1e-7"), 1, "the results differ")
    fails(bench("integer.cl", "fast.cl"), 1, "integer.cl: argument 0 (global int* in): float is given")
    two = FAST + FAST.replace("void f", "void g")
    pathlib.Path("two.cl").write_text(two)
    fails(bench("fast.cl", "two.cl"), 1, "two.cl: the program has several kernels")
    assert bench("two.cl", "fast.cl", "--kernel", "f").returncode == 0
    fails(bench("two.cl", "fast.cl", "--kernel", "g"), 1, "fast.cl: the program has no kernel 'g'; it has f")
    pathlib.Path("broken.cl").write_text("kernel void f(global float *in) { missing; }")
    fails(bench("fast.cl", "broken.cl"), 1, "broken.cl: cannot build the program", "missing")


def git(*words):
    subprocess.run(["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *words], check=True, capture_output=True)


def revisions():
    """Versions of a repository, and names that it does not have."""
    fails(bench("fast.cl", "absent.cl"), 1, "--against: cannot read 'absent.cl': No such file")
    if not shutil.which("git"):
        fails(bench("fast.cl", "HEAD:fast.cl"), 1, "cannot start git")
        return
    environment = {**os.environ, "GIT_CEILING_DIRECTORIES": os.path.dirname(os.getcwd())}
    fails(bench("fast.cl", "HEAD:fast.cl", env=environment), 1, "--against: cannot read 'HEAD:fast.cl': git: fatal: not a git repository")
    git("init", "-q")
    os.mkdir("kernels")
    for text in (SLOW, FAST):
        pathlib.Path("kernels/k.cl").write_text(text)
        git("add", "kernels")
        git("commit", "-qm", "a version")
    read = measured(bench("kernels/k.cl", "HEAD~1:kernels/k.cl", "--json"), 0)
    assert read["ratio"]["high"] < 0.67 and read["earlier"]["version"] == "HEAD~1:kernels/k.cl", read
    measured(bench("k.cl", "HEAD~1:./k.cl", "--json", cwd="kernels"), 0)
    fails(bench("kernels/k.cl", "HEAD~2:kernels/k.cl"), 1, "--against: cannot read 'HEAD~2:kernels/k.cl': git: fatal")
    fails(bench("kernels/k.cl", "HEAD~1:kernels/x.cl"), 1, "--against: cannot read 'HEAD~1:kernels/x.cl': git: fatal")
    fails(bench("kernels/k.cl", "HEAD:kernels"), 1, "--against: cannot read 'HEAD:kernels': git: fatal")
    result = subprocess.run([UPSWEEP, "bench-kernel", "fast.cl", "--against=-h:x", *ARGUMENTS], capture_output=True, text=True)
    fails(result, 2, "'-h:x' is not a revision and a file")
    fails(bench("fast.cl", "HEAD:fast.cl", env={**os.environ, "PATH": os.getcwd()}), 1, "cannot start git: No such file")


folder = pathlib.Path(sys.argv[1])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir()
os.chdir(folder)
for name, source in [("fast", FAST), ("slow", SLOW), ("larger", LARGER), ("integer", INTEGER)]:
    pathlib.Path(name + ".cl").write_text(source)
files()
results()
revisions()
