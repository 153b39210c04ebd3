// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a plot is drawn on: a page of SVG, or pixels of a PNG.
#ifndef UPSWEEP_CLI_BENCH_CANVAS_H
#define UPSWEEP_CLI_BENCH_CANVAS_H

#include "cli/result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace upsweep::cli::bench {

struct Point {
  double x = 0;
  double y = 0;  // from the top
};

struct Ink {
  uint8_t red = 0;
  uint8_t green = 0;
  uint8_t blue = 0;
};

enum class Anchor { kStart, kMiddle, kEnd };  // which part of a text's baseline lies at its point

class Canvas {
public:
  Canvas() = default;
  Canvas(const Canvas &) = delete;
  Canvas &operator=(const Canvas &) = delete;
  virtual ~Canvas() = default;

  virtual void line(Point from, Point to, Ink ink, double width) = 0;
  virtual void dot(Point at, double radius, Ink ink) = 0;
  virtual void text(Point at, std::string_view ascii, Anchor anchor, Ink ink) = 0;
  // The file's bytes.
  virtual Result<std::string> finish() = 0;
};

std::unique_ptr<Canvas> svg_canvas(double width, double height);
std::unique_ptr<Canvas> png_canvas(double width, double height);

}  // namespace upsweep::cli::bench
#endif
