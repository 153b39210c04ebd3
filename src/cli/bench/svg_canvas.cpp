// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plots as SVG.
#include "cli/bench/canvas.h"

namespace upsweep::cli::bench {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
    case '&': out += "&amp;"; break;
    case '<': out += "&lt;"; break;
    case '>': out += "&gt;"; break;
    default: out += c;
    }
  }
  return out;
}

std::string code_of(Ink ink) { return fmt::format("#{:02x}{:02x}{:02x}", ink.red, ink.green, ink.blue); }

class SvgCanvas : public Canvas {
public:
  SvgCanvas(double width, double height)
      : page_(fmt::format(R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0} {1}" width="{0}" height="{1}" )"
                          R"(font-family="sans-serif" font-size="12">)"
                          "\n<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
                          width, height)) {}

  void line(Point from, Point to, Ink ink, double width) override {
    page_ += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" stroke-width=\"{}\"/>\n",
                         from.x, from.y, to.x, to.y, code_of(ink), width);
  }
  void dot(Point at, double radius, Ink ink) override {
    page_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\"/>\n", at.x, at.y, radius, code_of(ink));
  }
  void text(Point at, std::string_view ascii, Anchor anchor, Ink ink) override {
    constexpr std::string_view kAnchors[] = {"start", "middle", "end"};
    page_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" fill=\"{}\">{}</text>\n", at.x, at.y,
                         kAnchors[static_cast<size_t>(anchor)], code_of(ink), escaped(ascii));
  }
  Result<std::string> finish() override { return page_ + "</svg>\n"; }

private:
  std::string page_;
};

}  // namespace

std::unique_ptr<Canvas> svg_canvas(double width, double height) { return std::make_unique<SvgCanvas>(width, height); }

}  // namespace upsweep::cli::bench
