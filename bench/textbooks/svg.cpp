// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text in SVG pages.
#include "bench/textbooks/svg.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>

namespace upsweep::cli::textbooks {
namespace {

// Advance widths of DejaVu Sans for the characters from ' ' to '~', in hundredths of the size, rounded up.
constexpr std::array<uint8_t, 95> kWidths = {32, 41, 46, 84, 64, 96, 78, 28, 40, 40, 50, 84, 32, 37,  32, 34, 64, 64, 64,
                                             64, 64, 64, 64, 64, 64, 64, 34, 34, 84, 84, 84, 54, 100, 69, 69, 70, 77, 64,
                                             58, 78, 76, 30, 30, 66, 56, 87, 75, 79, 61, 79, 70, 64,  62, 74, 69, 99, 69,
                                             62, 69, 40, 34, 40, 84, 50, 50, 62, 64, 55, 64, 62, 36,  64, 64, 28, 28, 58,
                                             28, 98, 64, 62, 64, 64, 42, 53, 40, 64, 60, 82, 60, 60,  53, 64, 34, 64, 84};
constexpr double kOtherWidth = 1.0;  // of the size: characters outside ASCII

constexpr double kPowerSize = 0.75;  // of the text's size
constexpr double kPowerRise = 0.35;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Lines that hold as many words as have room.
std::vector<std::string> filled(std::string_view text, double size, double width) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = text.find(' ');
    const std::string word(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (!lines.empty() && text_width(lines.back() + " " + word, size) <= width)
      lines.back() += " " + word;
    else
      lines.push_back(word);
  }
  return lines;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
    case '&': out += "&amp;"; break;
    case '<': out += "&lt;"; break;
    case '>': out += "&gt;"; break;
    case '"': out += "&quot;"; break;
    default: out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
  }
  return out;
}

std::string with_powers(std::string_view text, double size) {
  std::string out;
  while (!text.empty()) {
    size_t mark = text.find('^');
    while (mark != std::string_view::npos && (mark + 1 >= text.size() || !is_digit(text[mark + 1])))
      mark = text.find('^', mark + 1);
    out += escaped(text.substr(0, mark));
    if (mark == std::string_view::npos) break;
    size_t end = mark + 1;
    while (end < text.size() && is_digit(text[end])) ++end;
    const double rise = kPowerRise * size;
    out += fmt::format(R"(<tspan dy="-{:.1f}" font-size="{:.1f}">{}</tspan>)", rise, kPowerSize * size,
                       text.substr(mark + 1, end - mark - 1));
    text.remove_prefix(end);
    // A shift also acts on the following characters, so the next one takes it back.
    if (text.empty()) break;
    size_t next = 1;
    while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xC0) == 0x80) ++next;
    out += fmt::format(R"(<tspan dy="{:.1f}">{}</tspan>)", rise, escaped(text.substr(0, next)));
    text.remove_prefix(next);
  }
  return out;
}

double text_width(std::string_view text, double size) {
  double width = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0) == 0x80) continue;  // counted with the first byte of its character
    width += byte >= ' ' && byte <= '~' ? kWidths[byte - ' '] / 100.0 : kOtherWidth;
  }
  return width * size;
}

std::vector<std::string> wrapped(std::string_view text, double size, double width) {
  std::vector<std::string> lines = filled(text, size, width);
  // Lines of about the same length: the least width that needs no further line.
  for (double less = width - size; less > width / 2; less -= size) {
    std::vector<std::string> narrower = filled(text, size, less);
    if (narrower.size() > lines.size()) break;
    lines = std::move(narrower);
  }
  return lines;
}

}  // namespace upsweep::cli::textbooks
