# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The reference: declarations and comments are read from headers, and no call that the pages name is missing from it."""
import re
import unittest
from pathlib import Path

import cpp_headers
import reference

ROOT = Path(__file__).resolve().parents[2]
HEADER = """// SPDX-License-Identifier: x
// Sums of `n` elements.
//
//   sum   all of them: x[0] + ...
//         + x[n - 1]
//
// `in`, `out`  pointers
//
//     up::sum(in, n);
#pragma once
#include <a.h>  // { in a comment
#define TWO(a) { \\
  a }
namespace upsweep::cpu {
namespace detail { struct Hidden {}; void hidden(); }
// An option: "{".
template <class T>
struct to {
  T *place = nullptr;  // where
  // Made of a pointer.
  explicit to(T *pointer) : place(pointer) {}
private:
  int secret_ = 0;
};
template <>
struct to<void> {};
struct forward;
template <class In, class N>
  requires std::integral<N>
inline constexpr auto sum(In in, N n = N{}) -> int {
  for (;;) { return "}"[0]; }
}
inline constexpr to<int> nowhere{};
}  // namespace upsweep::cpu
int behind();
"""


class Headers(unittest.TestCase):
    def test_GivenHeader_WhenRead_ThenItsPublicDeclarations(self):
        found = cpp_headers.declarations(HEADER)
        self.assertEqual([each.name for each in found], ["to", "sum", "nowhere", "behind"])
        self.assertEqual(found[0].comment, 'An option: "{".')
        self.assertEqual([(each.name, each.comment) for each in found[0].members], [("place", ""), ("to", "Made of a pointer.")])
        self.assertEqual(found[0].members[1].text, "explicit to(T *pointer)")
        self.assertTrue(found[1].text.endswith("sum(In in, N n = N{}) -> int"), found[1].text)

    def test_GivenCommentOfHeader_WhenRendered_ThenTablesCodeAndProse(self):
        page = reference.page_of(cpp_headers.purpose(HEADER))
        self.assertEqual(page, "Sums of `n` elements.\n\n| call | meaning |\n|---|---|\n| `sum` | all of them: x\\[0\\] + ... + x\\[n - 1\\] |\n\n"
                               "| argument | meaning |\n|---|---|\n| `in`, `out` | pointers |\n\n```cpp\nup::sum(in, n);\n```")


    def test_GivenCharactersOfMarkdown_WhenEscaped_ThenCodeSpansStay(self):
        self.assertEqual(reference.escaped("a<T> & *b | `c<T>*` x[i_1]"), "a&lt;T&gt; &amp; \\*b &#124; `c<T>*` x\\[i\\_1\\]")


class Repository(unittest.TestCase):
    def test_GivenCallsThatThePagesName_WhenTheReferenceIsMade_ThenEachIsInIt(self):
        pages = reference.pages(ROOT)
        headings = {library: "".join(text for place, text in pages.items() if f"/{library}/" in place) for library in reference.LIBRARIES}
        for library, page in (("cuda", "cuda-calls.md"), ("cpu", "cpu.md"), ("opencl", "opencl.md"), ("distributed", "distributed.md")):
            text = (ROOT / "docs" / page).read_text(encoding="utf-8")
            rows = [line for line in text.splitlines() if re.match(rf"\| \[[\w.]+\]\(\.\./include/upsweep/{library}/", line)]
            self.assertGreater(len(rows), 10, page)
            for row in rows:
                cells = row.split("|")
                own = "".join(pages[f"reference/{library}/{header}.md"] for header in re.findall(rf"/include/upsweep/{library}/([^)]+)\)", cells[1]))
                for name in re.findall(r"`([a-z]\w{3,})`", cells[2]):
                    # A name may be cut ("`sort_keys` `..._of_rows`"), be a member's, or an option with a header of its own.
                    self.assertTrue(re.search(rf"(?m)^### `{name}", headings[library]) or re.search(rf"\b{name}\b", own), f"{page}: {name}")

    def test_GivenPublicHeaders_WhenTheReferenceIsMade_ThenEachHasAPageWithItsPurpose(self):
        pages = reference.pages(ROOT)
        for library in reference.LIBRARIES:
            for path in (ROOT / "include/upsweep" / library).glob("*.*h"):
                page = pages[f"reference/{library}/{path.name}.md"]
                first = path.read_text().splitlines()[1].removeprefix("// ")
                self.assertIn(reference.escaped(first), page, path.name)
                self.assertEqual(page.count("```") % 2, 0, path.name)

    def test_GivenPythonModule_WhenTheReferenceIsMade_ThenEachFunctionHasItsDocstring(self):
        page, names = reference.python_page(ROOT)
        self.assertGreater(len(names), 20)
        for name in ("cumsum", "top_k", "histogram", "box_filter", "set_num_threads"):
            self.assertIn(name, names)
        self.assertIn("numpy.cumsum: the sums of all elements", page["reference/python.md"])


if __name__ == "__main__":
    unittest.main()
