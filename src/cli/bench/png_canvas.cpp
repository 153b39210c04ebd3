// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plots as pixels: a line or a dot covers a pixel by its distance, and letters are the boxes of stb_easy_font.
#include "cli/bench/canvas.h"
#include "cli/picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stb/stb_easy_font.h>
#include <vector>

namespace upsweep::cli::bench {
namespace {

// std::hypot would need glibc 2.35 for the sake of numbers that are no places in a picture.
double norm(double x, double y) { return std::sqrt(x * x + y * y); }

constexpr int kScale = 2;              // pixels for a unit of the plot: sharp on dense screens
constexpr float kLetters = 1.25F;      // a unit of stb_easy_font, whose capitals have 7
constexpr float kBaseline = 7;         // from the top of its line
constexpr size_t kBoxesOfLetter = 12;  // more than any letter has

class PngCanvas : public Canvas {
public:
  PngCanvas(double width, double height) {
    picture_.width = static_cast<size_t>(width) * kScale;
    picture_.height = static_cast<size_t>(height) * kScale;
    picture_.channels = 3;
    picture_.values.assign(picture_.width * picture_.height * 3, 255);
  }

  void line(Point from, Point to, Ink ink, double width) override {
    const double half = width / 2;
    for_box({std::min(from.x, to.x) - half, std::min(from.y, to.y) - half},
            {std::max(from.x, to.x) + half, std::max(from.y, to.y) + half}, ink, [&](Point p) {
              const double dx = to.x - from.x, dy = to.y - from.y, length = dx * dx + dy * dy;
              const double t = length > 0 ? std::clamp(((p.x - from.x) * dx + (p.y - from.y) * dy) / length, 0.0, 1.0) : 0;
              return half - norm(p.x - from.x - t * dx, p.y - from.y - t * dy);
            });
  }
  void dot(Point at, double radius, Ink ink) override {
    for_box({at.x - radius, at.y - radius}, {at.x + radius, at.y + radius}, ink,
            [&](Point p) { return radius - norm(p.x - at.x, p.y - at.y); });
  }
  void text(Point at, std::string_view ascii, Anchor anchor, Ink ink) override {
    std::string letters(ascii);
    const double width = kLetters * static_cast<float>(stb_easy_font_width(letters.data()));
    at.x -= anchor == Anchor::kStart ? 0 : anchor == Anchor::kMiddle ? width / 2 : width;
    at.y -= kLetters * kBaseline;
    struct Corner {
      float x, y, z;
      unsigned char colour[4];
    };
    std::vector<Corner> corners(4 * kBoxesOfLetter * letters.size());
    const int boxes =
        stb_easy_font_print(0, 0, letters.data(), nullptr, corners.data(), static_cast<int>(corners.size() * sizeof(Corner)));
    for (size_t box = 0; box < static_cast<size_t>(boxes); ++box) {
      const Corner &first = corners[4 * box], &last = corners[4 * box + 2];
      const Point low = {at.x + kLetters * first.x, at.y + kLetters * first.y};
      const Point high = {at.x + kLetters * last.x, at.y + kLetters * last.y};
      for_box(low, high, ink, [&](Point p) { return std::min({p.x - low.x, high.x - p.x, p.y - low.y, high.y - p.y}); });
    }
  }
  Result<std::string> finish() override { return encode_png(picture_); }

private:
  // Inks the pixels of a box by how far their middles lie inside; half a pixel outside nothing is left.
  template <class Inside>
  void for_box(Point low, Point high, Ink ink, const Inside &inside) {
    const auto pixel = [](double at, size_t most) {
      return static_cast<size_t>(std::clamp(at * kScale, 0.0, static_cast<double>(most)));
    };
    for (size_t y = pixel(low.y - 1, picture_.height); y < pixel(high.y + 2, picture_.height); ++y)
      for (size_t x = pixel(low.x - 1, picture_.width); x < pixel(high.x + 2, picture_.width); ++x) {
        const Point middle = {(static_cast<double>(x) + 0.5) / kScale, (static_cast<double>(y) + 0.5) / kScale};
        const double cover = std::clamp(inside(middle) * kScale + 0.5, 0.0, 1.0);
        uint16_t *values = &picture_.values[(y * picture_.width + x) * 3];
        const std::array<uint8_t, 3> inks = {ink.red, ink.green, ink.blue};
        for (size_t c = 0; c < 3; ++c)
          values[c] = static_cast<uint16_t>(std::lround(values[c] + cover * (inks[c] - static_cast<double>(values[c]))));
      }
  }

  Picture picture_;
};

}  // namespace

std::unique_ptr<Canvas> png_canvas(double width, double height) { return std::make_unique<PngCanvas>(width, height); }

}  // namespace upsweep::cli::bench
