# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads plots back from SVG, for tests: values of points by the texts of the ticks, boxes of texts, contrasts of colours."""
import itertools
import math
import re
import xml.etree.ElementTree as xml

SVG = "{http://www.w3.org/2000/svg}"
PREFIXES = {"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}
NUMBER = r"-?[\d.]+(?:e[-+]?\d+)?"


def text_of(node):
    """The text, with ^ before each superscript."""
    parts = [node.text or ""]
    for part in node.iter(SVG + "tspan"):
        parts += ["^" if part.get("dy", "0").startswith("-") else "", part.text or "", part.tail or ""]
    return "".join(parts)


def value_of(text):
    """2^20, 50 GB/s or 50 G."""
    power = re.fullmatch(r"(\d+)\^(\d+)(?: \S+)?", text)
    if power:
        return float(power.group(1)) ** int(power.group(2))
    number, prefix = re.fullmatch(rf"({NUMBER}) ?([kMGTP]?)(?:B/s)?", text).groups()
    return float(number) * PREFIXES[prefix]


class Plot:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.source = file.read()
        self.root = xml.fromstring(self.source)  # raises if it is not well-formed
        self.width, self.height = map(float, self.root.get("viewBox").split()[2:])
        self.style = self.root.find(SVG + "style").text
        self.texts = [(text_of(node), self.box(node)) for node in self.root.iter(SVG + "text")]
        self.grid = {"x": [], "y": []}
        self.series, self.roles = {}, {}
        for node in self.root.iter():
            name = node.get("id", "")
            if name.startswith("grid-"):
                path = node if node.tag == SVG + "path" else node.find(SVG + "path")
                (x, y), (last_x, last_y) = self.points(path)
                self.grid[name[5]].append((x, max(y, last_y)) if name[5] == "x" else (min(x, last_x), y))
            elif name.startswith("series-"):
                title = node.find(SVG + "title").text
                assert title not in self.series, f"two curves are named {title}"
                self.series[title] = self.points(node.find(SVG + "path"))
                self.roles[title] = node.get("class")
                dots = [(float(dot.get("cx")), float(dot.get("cy"))) for dot in node.iter(SVG + "circle")]
                assert self.roles[title] == "bound" or dots == self.series[title], f"{title}: its dots are not its points"

    @staticmethod
    def points(path):
        return [(float(x), float(y)) for x, y in re.findall(rf"[ML]\s*({NUMBER})\s+({NUMBER})", path.get("d"))]

    def size(self, node):
        found = re.search(rf"\.{node.get('class') or ' '}\b[^}}]*font-size: (\d+)px", self.style)
        return float(found.group(1)) if found else 13.0

    def box(self, node):
        """Left, top, right and bottom, for characters of a usual width."""
        size, text = self.size(node), text_of(node)
        width = 0.6 * size * len(text)
        x, y = float(node.get("x")), float(node.get("y"))
        left = x - {"start": 0, "middle": width / 2, "end": width}[node.get("text-anchor", "start")]
        return left, y - 0.76 * size, left + width, y + 0.22 * size

    def overlaps(self):
        return [(a, b) for (a, (l, t, r, d)), (b, (left, top, right, down)) in itertools.combinations(self.texts, 2)
                if l < right and left < r and t < down and top < d]

    def outside(self):
        return [text for text, (_, top, _, bottom) in self.texts if top < 0 or bottom > self.height]

    def ticks(self, axis):
        """[(value, pixel)]: the text of a tick is the closest to the outer end of its line."""
        found = []
        for x, y in self.grid[axis]:
            at = (x, max(bottom for _, bottom in self.grid["x"]) + 16) if axis == "x" else (x - 8, y)
            near = min(self.texts, key=lambda text: self.distance(axis, text[1], at))
            found.append((value_of(near[0]), x if axis == "x" else y))
        return sorted(found)

    @staticmethod
    def distance(axis, box, at):
        left, top, right, bottom = box
        return math.hypot((left + right) / 2 - at[0], bottom - at[1]) if axis == "x" else math.hypot(right - at[0], (top + bottom) / 2 - at[1])

    def place(self, axis, value):
        """The pixel of a value, by the first and the last tick."""
        (low, begin), *_, (high, end) = self.ticks(axis)
        return begin + math.log(value / low) / math.log(high / low) * (end - begin)

    def has(self, name, points, tolerance=0.05):
        """Whether the curve has these points and no others."""
        found = self.series[name]
        return len(found) == len(points) and all(abs(x - self.place("x", n)) < tolerance and abs(y - self.place("y", rate)) < tolerance
                                                 for (x, y), (n, rate) in zip(found, points))

    def failures(self):
        """Defects that no plot may have, whatever its data is."""
        ids = [node.get("id") for node in self.root.iter() if node.get("id")]
        names = [text for text, _ in self.texts]
        named = self.root.get("aria-labelledby", "").split()
        found = [f"the texts {a!r} and {b!r} overlap" for a, b in self.overlaps()] + [f"{text!r} is outside" for text in self.outside()]
        found += [f"no text names the curve {name}" for name in self.series if name not in names]
        if self.root.get("role") != "img" or len(named) != 2 or not set(named) <= set(ids):
            found.append("screen readers find no title and description")
        if any(not node.text for node in (self.root.find(SVG + "title"), self.root.find(SVG + "desc"))):
            found.append("the title or the description is empty")
        if len(ids) != len(set(ids)):
            found.append("an id stands twice")
        if re.search(r"href|url\(|@import|<script", self.source):
            found.append("the file refers to another")
        if any(re.search(r"nan|inf", node.get("d", "")) for node in self.root.iter()):
            found.append("a path has a number that is none")
        return found


def luminance(colour):
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    return sum(weight * (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055)**2.4) for weight, c in zip((0.2126, 0.7152, 0.0722), parts))


def contrast(a, b):
    """The ratio of the Web Content Accessibility Guidelines."""
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def schemes(style):
    """The rules for light and for dark pages: {selector: {property: value}}; dark rules are those of light with changes."""
    light, _, dark = re.sub(r"/\*.*?\*/", "", style, flags=re.S).partition("@media (prefers-color-scheme: dark)")
    found = []
    for part in (light, dark):
        rules = dict(found[0]) if found else {}
        for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", part.lstrip(" {\n")):
            values = dict(map(str.strip, pair.split(":", 1)) for pair in body.split(";") if ":" in pair)
            for selector in selectors.split(","):
                rules[selector.strip()] = rules.get(selector.strip(), {}) | values
        found.append(rules)
    return found
