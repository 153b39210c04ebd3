# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tables that Python's csv module writes and reads: separators, quotes, ends of lines, marks of UTF-8, headers, missing values,
# texts of several lines. Errors of damaged tables name the line and the column. `tables.py FOLDER SEED ROUNDS`.
import csv
import io
import itertools
import math
import os
import random
import sys

from arrays import load, run

MISSING = ["", "NA", "N/A", "n/a", "#N/A", "<NA>", "NULL", "null", "None"]
NUMBERS = ["0", "-7", "+12", "9223372036854775807", "9223372036854775808", "1e400", "-1e400", "1e-400", "4.9e-324", "2.5", ".5", "7.", "-0.0", "-0",
           "nan", "inf", "-Infinity", "1E3"]
TEXTS = ["north", "south west", "a,b;c|d", "tab\there", 'say "hi"', '"', "", " led by a blank", "two\nlines", "three\r\nlines\n", "1,2\n3,4", "ä€",
         "'single'", '6" pipe', "-", "x" * 70, "\n", '"\n"', "NA", "12 o'clock"]
PART = 1 << 20  # bytes that a thread reads


class Table:
    def __init__(self, source, rows, long_texts=False):
        self.source = source
        self.separator = source.choice(",;\t|:") if source.random() < 0.9 else " "
        self.line_end = source.choice(["\n", "\r\n", "\r"])
        self.quoting = source.choice([csv.QUOTE_MINIMAL, csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
        self.mark = source.choice([b"", b"\xef\xbb\xbf"])
        self.kinds = ["number"] + source.choices(["number", "integer", "text", "missing"], k=source.randint(0, 4))
        source.shuffle(self.kinds)
        self.has_header = source.random() < 0.7
        names = [source.choice(["x", "price, net", 'q"q', "", "two\nlines", "sum "]) + f"c{i}" * (i > 0) for i in range(len(self.kinds))]
        self.header = names if self.has_header else None
        self.rows = [[self.field(kind, long_texts) for kind in self.kinds] for _ in range(rows)]

    def field(self, kind, long_texts):
        source = self.source
        if kind == "integer" or kind == "number" and source.random() < 0.5:
            number = str(source.randint(-1000, 1000))
        elif kind == "missing" and source.random() < 0.3:
            return source.choice(MISSING)
        elif kind == "text":
            return "\n".join(source.choices(TEXTS, k=source.randint(1, 2000))) if long_texts else source.choice(TEXTS)
        else:
            number = source.choice(NUMBERS)
        return source.choice(["", " ", "  "]) * (self.separator != " ") + number + source.choice(["", " "]) * (self.separator != " ")

    def lines(self):
        return ([self.header] if self.has_header else []) + self.rows

    # The text of each line, including its end.
    def texts(self):
        made = []
        for line in self.lines():
            to = io.StringIO(newline="")
            # Before Python 3.13 the module does not quote fields for ends of lines other than its own.
            quoting = csv.QUOTE_ALL if any("\n" in field or "\r" in field for field in line) else self.quoting
            csv.writer(to, delimiter=self.separator, lineterminator=self.line_end, quoting=quoting).writerow(line)
            made.append(to.getvalue().encode())
        return made

    def save(self, path, texts=None):
        with open(path, "wb") as file:
            file.write(self.mark + b"".join(texts or self.texts()))

    def options(self, column, missing=None):
        chosen = ["--column", str(column + 1), "--separator", self.separator, "--header", "yes" if self.has_header else "no"]
        return chosen + (["--missing", missing] if missing else [])


def read_back(path, table):
    text = open(path, "rb").read().removeprefix(b"\xef\xbb\xbf").decode()
    return [line for line in csv.reader(io.StringIO(text, newline=""), delimiter=table.separator) if line]


def is_integer(text):
    try:
        return -(1 << 63) <= int(text) < 1 << 63
    except ValueError:
        return False


# The column as integers or floats; None where a value is missing.
def values_of(fields):
    values = [None if field.strip() in MISSING else field for field in fields]
    if all(value is not None and is_integer(value) for value in values):
        return [int(value) for value in values], "<i8"
    return [None if value is None else float(value) for value in values], "<f8"


# Whether the column has floats and an integer that a double rounds.
def is_rounded(fields, values):
    return any(isinstance(value, float) for value in values) and any(
        value is not None and field.strip().lstrip("+-").isdigit() and int(value) != int(field) for field, value in zip(fields, values))


def same(found, expected):
    return len(found) == len(expected) and all(a == b and math.copysign(1, a) == math.copysign(1, b) or a != a and b != b
                                               for a, b in zip(found, expected))


def check_column(table, place):
    column = table.source.choice([i for i, kind in enumerate(table.kinds) if kind != "text"])
    source, out = place("t.csv"), place("o.npy")
    back = read_back(source, table)
    rows = back[1:] if table.has_header else back
    values, kind = values_of([row[column] for row in rows])
    keep_all = ["select", source, "--where", "x != 0.123456789", "--out", out, "-q"]
    if None in values:
        said = run(*keep_all, *table.options(column), fails=True)
        first = values.index(None) + (1 if table.has_header else 0)
        line = count_lines(b"".join(table.texts()[:first]))
        assert f"line {line + 1}, column {column + 1}: " in said, (said, line, column)
        mode = table.source.choice(["nan", "skip"])
        values = [math.nan if value is None else value for value in values if value is not None or mode == "nan"]
        if mode == "skip" and values and all(isinstance(v, float) for v in values):
            kept = [row[column] for row in rows if row[column].strip() not in MISSING]
            values, kind = values_of(kept)
        if mode == "skip" and not values:
            kind = "<i8"
        run(*keep_all, *table.options(column, mode))
    else:
        run(*keep_all, *table.options(column))
    found = load(out)
    assert found[0] == kind and same(found[3], values), (kind, values[:20], found[0], found[3][:20])
    if table.has_header and table.header.count(table.header[column]) == 1 and None not in values and table.header[column].strip():
        run("select", source, "--where", "x != 0.123456789", "--out", place("n.npy"), "-q", "--separator", table.separator,
            "--header", "yes", "--column", table.header[column], "--missing", "nan")
        assert load(place("n.npy"))[1] == (len(rows),), (table.header, column)


def count_lines(data):
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").count(b"\n")


# Rows in order keep all their bytes.
def check_sort(table, place):
    column = table.source.choice([i for i, kind in enumerate(table.kinds) if kind != "text"])
    lines = table.texts()
    head, rows = (lines[:1], lines[1:]) if table.has_header else ([], lines)
    fields = [row[column] for row in table.rows]
    values, _ = values_of(fields)
    descending = table.source.random() < 0.5
    numbers = [math.nan if value is None else value for value in values]
    # NaNs are the greatest, and -0.0 comes before 0.0.
    key = lambda i: (math.isnan(numbers[i]), 0 if math.isnan(numbers[i]) else numbers[i], math.copysign(1, numbers[i]) if numbers[i] == 0 else 0)
    order = sorted(range(len(rows)), key=key)
    if descending:
        order = sorted(range(len(rows) - 1, -1, -1), key=key)[::-1]
    is_refused = is_rounded(fields, values)
    said = run("sort", place("t.csv"), "--out", place("t.csv"), "-q", *["--descending"] * descending, *table.options(column, "nan"), fails=is_refused)
    if is_refused:
        assert "would be rounded" in said and f"column {column + 1}: " in said, said
        order = range(len(rows))
    expected = table.mark + b"".join(head + [rows[i] for i in order])
    found = open(place("t.csv"), "rb").read()
    assert found == expected, (table.options(column), values, expected[:300], found[:300])


# Runs of equal texts, and their totals.
def check_keys(table, place):
    if "text" not in table.kinds or not table.rows:
        return
    texts, numbers = table.kinds.index("text"), table.kinds.index("number")
    values = [table.source.randint(0, 9) for _ in table.rows]
    for row, value in zip(table.rows, values):
        row[numbers] = str(value)
    table.save(place("t.csv"))
    keys = [row[texts] for row in table.rows]
    if all(looks_like_a_number(key) for key in keys):
        return
    run("reduce", place("t.csv"), *table.options(numbers), "--by-key", place("t.csv"), "--key-column", str(texts + 1),
        "--keys-out", place("k.csv"), "--out", place("o.npy"), "-q")
    runs = [(key, sum(value for _, value in group)) for key, group in itertools.groupby(zip(keys, values), lambda pair: pair[0])]
    found = [line[0] for line in csv.reader(io.StringIO(open(place("k.csv"), newline="").read(), newline=""))]
    assert found == [key for key, _ in runs], (found, runs)
    assert load(place("o.npy"))[3] == [total for _, total in runs]


def looks_like_a_number(text):
    try:
        float(text)
        return True
    except ValueError:
        return False


# A row of another length or a damaged number: the error names the line and the column.
def check_damage(table, place):
    if not table.rows:
        return
    column = table.kinds.index("number")
    number = table.source.randrange(len(table.rows))
    row = list(table.rows[number])
    damage = table.source.choice(["short", "long", "number"] if len(row) > 1 else ["long", "number"])
    if number == 0 and not table.has_header and damage != "number":
        return  # the first line determines the number of columns
    if damage == "number":
        row[column] = table.source.choice(["0x10", "1_0", "1.5.", "twelve", "1e", "--5", "5 6", "½"])
        expected = f"column {column + 1}: '{row[column]}' is not a number"
    elif damage == "short":
        row.pop()
        expected = f"column {len(row)}: the line has {len(row)} columns, but the first line has {len(row) + 1}"
    else:
        row.append("0")
        expected = f"column {len(row)}: the line has {len(row)} columns, but the first line has {len(row) - 1}"
    if row == [""] or any(values_of([other[column]])[0] == [None] for other in table.rows[:number]):
        return
    kept, table.rows[number] = table.rows[number], row
    table.save(place("t.csv"))
    lines = table.texts()
    table.rows[number] = kept
    line = count_lines(b"".join(lines[: number + (1 if table.has_header else 0)])) + 1
    said = run("scan", place("t.csv"), *table.options(column), "--out", place("w.npy"), fails=True)
    assert f"line {line}, {expected}" in said, (said, line, expected)
    assert not os.path.exists(place("w.npy"))


folder, source, rounds = sys.argv[1], random.Random(int(sys.argv[2])), int(sys.argv[3])
os.makedirs(folder, exist_ok=True)
place = lambda name: os.path.join(folder, name)
for i in range(rounds):
    table = Table(source, source.choice([0, 1, 2, 5, 40]))
    table.save(place("t.csv"))
    if table.rows or table.has_header:
        check_column(table, place)
    check_damage(table, place)
    table.save(place("t.csv"))
    if table.rows:
        check_sort(table, place)
    check_keys(table, place)
# Several parts, whose edges lie at ends of lines inside quotes.
table = Table(source, 400, long_texts=True)
while "text" not in table.kinds:
    table = Table(source, 400, long_texts=True)
table.save(place("t.csv"))
assert os.path.getsize(place("t.csv")) > 3 * PART, os.path.getsize(place("t.csv"))
check_column(table, place)
check_sort(table, place)
print("as Python reads them")
