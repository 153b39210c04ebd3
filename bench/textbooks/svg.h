// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text in SVG pages: escapes, powers, widths and line breaks.
#ifndef UPSWEEP_BENCH_TEXTBOOKS_SVG_H
#define UPSWEEP_BENCH_TEXTBOOKS_SVG_H

#include <string>
#include <string_view>
#include <vector>

namespace upsweep::cli::textbooks {

// UTF-8 text as XML has it. Control characters, which XML forbids, become blanks.
std::string escaped(std::string_view text);

// The same, with the number behind each ^ as a superscript; `size` is the text's size in pixels.
std::string with_powers(std::string_view text, double size);

// An upper bound for the width of the text in pixels: fonts of the style's list are no wider than DejaVu Sans.
double text_width(std::string_view text, double size);

// The text in lines of about the same length, at most `width` pixels. A longer word has a line of its own.
std::vector<std::string> wrapped(std::string_view text, double size, double width);

}  // namespace upsweep::cli::textbooks
#endif
