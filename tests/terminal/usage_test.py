# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mistakes in each command line that the declarations allow: every verb and option with an unknown name, no value, a value of
the wrong kind, a missing file or an extra argument. The status and the message that names the argument are checked."""

from support import main

# A right command line of each verb.
RIGHT = {
    "info": [],
    "demo": [],
    "check": ["./program"],
    "profile": ["./program"],
    "explain": ["scan.cl"],
    "bench-kernel": ["scan.cl", "--against", "scan.cl", "--global", "8", "--arg", "range:int:8", "--arg", "zeros:int:8"],
    "run": ["scan.cl", "--global", "8", "--local", "8", "--arg", "range:int:8", "--arg", "zeros:int:8"],
    "scan": ["a.npy"],
    "reduce": ["a.npy"],
    "select": ["a.npy", "--where", "x > 3"],
    "unique": ["a.npy"],
    "sort": ["a.npy"],
    "merge": ["a.npy", "a.npy"],
    "histogram": ["a.npy"],
    "sat": ["m.npy"],
    "blur": ["photo.png", "--radius", "2", "--out", "o.png"],
    "bench": ["--quick"],
    "compile": ["scan.cl", "-cl-std=CL3.0", "-o", "scan.so"],
    "cache": [],
    "help": [],
}
# A wrong value for each kind of value that the command line alone can refuse, and the options that differ.
WRONG = {"NUMBER": "x1", "X[,Y[,Z]]": "x1", "A,B": "1", "BYTE": "ab", "SIZE": "much", "ARGUMENT=FILE": "out"}
WRONG_OF = {"--where": "x >", "-D": "1x", "--cpu": None, "-cl-ext": "cl_khr_fp64"}
# Options whose file is read; the others write theirs.
INPUTS = {"--by-key", "--flags", "--by", "--depth", "--against"}


def expect(result, status, *words):
    said = result.stderr
    assert result.returncode == status, (result.args, result.returncode, said)
    for word in words:
        assert word in said, (result.args, word, said)
    assert result.stdout == "", (result.args, result.stdout)


def without(words, option):
    """The command line without an option and its value, which only few options may have twice."""
    if option["repeated"] or option["names"][-1:] != [] and option["names"][-1] not in words:
        return words
    at = words.index(option["names"][-1])
    return words[:at] + words[at + 2:]


def given(option, value):
    """The words that give a value to an option."""
    name = option["names"][-1]
    return [name, value] if option["sign"] == " " else [name + option["sign"] + value]


# Words behind the operand of these verbs are another program's, and that program opens the files.
PROGRAMS = {"check", "profile"}


def run(setting, name, words, *more):
    """The verb with the words of a right command line, and with more words where the verb takes options."""
    return setting.run("upsweep", name, *more, *words) if name in PROGRAMS else setting.run("upsweep", name, *words, *more)


def valued(verb):
    return [option for option in verb["options"] if option["value"]]


def verbs(setting):
    """A missing or wrong verb, and `help`."""
    names = list(setting.verbs)
    assert set(names) == set(RIGHT), set(names) ^ set(RIGHT)
    for words, said in [([], "a verb is missing"), (["scna"], "'scna'; did you mean 'scan'?"), (["zzzzzz"], "no verb 'zzzzzz'\n")]:
        result = setting.run("upsweep", *words)
        expect(result, 2, said)
        lines = [line.split()[0] for line in result.stderr.splitlines() if line.startswith("  ") and line[2] != " "]
        assert lines == names, (lines, names)
    for words in [["help"], ["--help"], ["-h"]]:
        result = setting.run("upsweep", *words)
        assert result.returncode == 0 and result.stderr == "" and all(f"\n  {name} " in result.stdout or f"\n  {name}\n" in result.stdout for name in names), result
    for name in names:
        if name != "help":
            assert setting.run("upsweep", "help", name).stdout == setting.run("upsweep", name, "--help").stdout != "", name
    expect(setting.run("upsweep", "help", "scna"), 2, "'scna'")
    expect(setting.run("upsweep", "help", "scan", "sort"), 2, "upsweep help: extra argument 'sort'")
    expect(setting.run("upsweep", "--versoin"), 2, "unknown option '--versoin'; did you mean '--version'?")


def options(setting):
    """An unknown name beside each option, which is suggested; and each option twice, if it takes one value."""
    tried = 0
    for name, verb in setting.verbs.items():
        for option in verb["options"]:
            spelling = option["names"][-1]
            if len(spelling) < 6 or option["sign"] == "":
                continue
            typo = spelling[:4] + spelling[5:]
            value = option["sign"] + "1" if option["value"] and option["sign"] == "=" else ""
            expect(run(setting, name, RIGHT[name], typo + value), 2, f"'{typo}", f"did you mean '{spelling}")
            tried += 1
        expect(run(setting, name, RIGHT[name], "--zzzzzzzzzz"), 2, "unknown option '--zzzzzzzzzz'\n")
    for name, verb in setting.verbs.items():
        for option in valued(verb):
            if name not in ("compile", "help") and not option["repeated"]:
                words = without(RIGHT[name], option)
                expect(run(setting, name, words, *[option["names"][-1], "1"] * 2), 2, option["names"][-1])
                tried += 1
    print(tried, "command lines")


def values(setting):
    """Options without a value, and with a value of the wrong kind."""
    tried = 0
    for name, verb in setting.verbs.items():
        for option in valued(verb):
            spelling = option["names"][-1]
            words = without(RIGHT[name], option)
            if option["sign"] == " ":
                expect(run(setting, name, [] if name in PROGRAMS else words, spelling), 2, spelling)
            wrong = WRONG_OF.get(spelling, "nonsense" if option["words"] else WRONG.get(option["value"]))
            if wrong is None:
                continue
            expect(run(setting, name, words, *given(option, wrong)), 2, wrong)
            tried += 1
    wrong = [word if word != "range:int:8" else "nonsense" for word in RIGHT["run"]]
    expect(setting.run("upsweep", "run", *wrong), 2, "nonsense")
    print(tried + 1, "wrong values")


def files(setting):
    """Missing inputs, and outputs in a missing folder: status 1, since the command line is right."""
    tried = 0
    for name, verb in setting.verbs.items():
        for operand in verb["operands"]:
            if "FILE" in operand["value"]:
                right = RIGHT[name]
                expect(setting.run("upsweep", name, "none.npy", *right[1:]), 1, "none.npy")
                expect(setting.run("upsweep", name, *right[1:]), 2, "source file" if name == "compile" else operand["value"])
                tried += 1
        for option in valued(verb):
            if option["value"] not in ("FILE", "ARGUMENT=FILE") or name in PROGRAMS:
                continue
            spelling = option["names"][-1]
            extra = ["--by-key", "a.npy"] if spelling == "--keys-out" else []
            words = [word for word in without(RIGHT[name], option)]
            if spelling == "--flags":
                words = ["a.npy"]
            path = "none.npy" if spelling in INPUTS else "none/o.png" if name == "blur" else "none/o.npy"
            value = "out=none/o.npy" if option["value"] == "ARGUMENT=FILE" else path
            expect(setting.run("upsweep", name, *words, *extra, spelling, value), 1, value.split("=")[-1])
            tried += 1
    (setting.scratch / "taken").write_text("a file, not a folder")
    expect(setting.run("upsweep", "bench", "--quick", "--out", "taken/folder"), 1, "taken/folder")
    print(tried, "files")


def extras(setting):
    """An argument too many; `merge` takes any number of files."""
    for name in setting.verbs.keys() - PROGRAMS - {"merge"}:
        result = setting.run("upsweep", name, *RIGHT[name], *(["scan", "more"] if name == "help" else ["info" if name == "scan" else "more"]))
        expect(result, 2, "'info'" if name == "scan" else "'more'")


def direct(setting):
    """The programs behind two verbs, started by their own names."""
    bench = setting.build / "libexec/upsweep/upsweep-bench"
    expect(setting.run(bench, "--quik"), 2, "upsweep bench: unknown option '--quik'; did you mean '--quick'?")
    expect(setting.run("upsweepc"), 2, "no source file")
    expect(setting.run("upsweepc", "scan.cl", "--emti=asm"), 2, "unknown option '--emti'; did you mean '--emit'?")
    expect(setting.run("upsweepc", "scan.cl", "-cl-mad-enabel"), 2, "'-cl-mad-enabel'", "did you mean '-cl-mad-enable'?")
    expect(setting.run("upsweepc", "none.cl"), 1, "none.cl")
    expect(setting.run("upsweepc", "scan.cl", "-cl-std=CL3.0", "-o", "none/o.so"), 1, "none/o.so")
    expect(setting.run("upsweep", "scan", "a.npy", "--out", ""), 2, "--out: the name of a file is empty")


def driverless(setting):
    """Each mistake is found before the driver and the compiler are started."""
    lonely = {"env": setting.environment | {"OCL_ICD_VENDORS": str(setting.scratch), "UPSWEEP_COMPILER": "/none"}}
    for words in [["info", "--device", "x"], ["scan", "a.npy", "--device", "gpuu"], ["run", "scan.cl", "--global", "0"]]:
        expect(setting.run("upsweep", *words, **lonely), 2, words[-2])


main({each.__name__: each for each in [verbs, options, values, files, extras, direct, driverless]})
