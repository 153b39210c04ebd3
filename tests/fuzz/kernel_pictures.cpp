// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel_pictures.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <random>

namespace upsweep::fuzz {
namespace {

constexpr Type kUint{Base::kUint, 1};

size_t channel_bytes(const Picture &picture) {
  switch (picture.kind) {
  case Picture::kUint8:
  case Picture::kUnorm8: return 1;
  case Picture::kInt16: return 2;
  default: return 4;
  }
}

size_t channels(const Picture &picture) { return picture.has_one_channel ? 1 : 4; }

class Illustrator {
public:
  Illustrator(Program &program, uint64_t seed) : program_(program), random_(seed ^ 0x696d61676573) {}

  void run() {
    const size_t items = program_.global[0] * program_.global[1] * program_.global[2];
    program_.picture = picture(1 + below(27), 1 + below(27));
    const size_t width = 1 + below(40);
    program_.canvas = picture(width, (items + width - 1) / width + below(2));
    program_.reads_canvas = chance(50);
    for (Helper &helper : program_.helpers) {
      in_kernel_ = false;
      block(helper.body);
    }
    in_kernel_ = true;
    block(program_.body);
    // Each kind appears at least once.
    program_.body.push_back(paint());
    program_.body.push_back({.kind = Statement::Kind::kAtomic, .value = texel(0), .index = leaf()});
  }

private:
  uint64_t below(uint64_t n) { return random_() % n; }
  bool chance(unsigned percent) { return below(100) < percent; }

  Picture picture(size_t width, size_t height) { return {static_cast<Picture::Kind>(below(5)), chance(50), width, height}; }

  Expression leaf() {
    switch (below(3)) {
    case 0: return {.op = Op::kGlobalId, .type = kUint};
    case 1: return {.op = Op::kArgument, .type = kUint, .number = below(2)};
    default: return {.op = Op::kLiteral, .type = kUint, .number = below(40)};
    }
  }

  /// A component of the picture, or of the work-item's texel of the canvas.
  Expression texel(int depth) {
    const std::vector<unsigned> component{static_cast<unsigned>(below(4))};
    if (in_kernel_ && program_.reads_canvas && chance(25)) return {.op = Op::kCanvas, .type = kUint, .components = component};
    const auto coordinate = [&]() -> Expression {
      return {.op = Op::kAdd, .type = kUint, .arguments = {leaf(), depth > 0 && chance(30) ? texel(depth - 1) : leaf()}};
    };
    return {.op = Op::kTexel,
            .type = kUint,
            .arguments = {coordinate(), coordinate()},
            .number = below(4),
            .components = component};
  }

  Statement paint() { return {.kind = Statement::Kind::kPaint, .value = chance(50) ? texel(1) : leaf()}; }

  void block(std::vector<Statement> &body) {
    for (Statement &s : body) {
      for (std::vector<Statement> &inner : s.bodies) block(inner);
      using Kind = Statement::Kind;
      if (s.kind == Kind::kAssign || s.kind == Kind::kAssignComponent || s.kind == Kind::kAssignElement ||
          s.kind == Kind::kStore || s.kind == Kind::kCollective || s.kind == Kind::kExchange)
        expression(s.value);
    }
    if (!in_kernel_ || !chance(40)) return;
    Statement added = paint();
    if (chance(50)) {
      Statement branch{.kind = Statement::Kind::kIf, .value = condition(), .bodies = {{}, {}}};
      branch.bodies[below(2)].push_back(std::move(added));
      added = std::move(branch);
    }
    // Nothing comes after a break or a return.
    body.insert(body.begin() + static_cast<std::ptrdiff_t>(below(body.empty() ? 1 : body.size())), std::move(added));
  }

  Expression condition() {
    Expression bit{.op = Op::kAnd, .type = kUint, .arguments = {texel(1), {.op = Op::kLiteral, .type = kUint, .number = 1}}};
    return {.op = Op::kEqual,
            .type = {Base::kInt, 1},
            .arguments = {std::move(bit), {.op = Op::kLiteral, .type = kUint, .number = 1}}};
  }

  void expression(Expression &e) {
    if (e.number == kPlain && (e.op == Op::kAdd || e.op == Op::kSubtract || e.op == Op::kMultiply || e.op == Op::kNegate))
      return;
    if (e.type == kUint && e.arguments.empty() && chance(15)) {
      e = texel(1);
      return;
    }
    for (Expression &argument : e.arguments) expression(argument);
  }

  Program &program_;
  std::mt19937_64 random_;
  bool in_kernel_ = false;
};

}  // namespace

void illustrate(Program &program, uint64_t seed) { Illustrator(program, seed).run(); }

size_t texel_bytes(const Picture &picture) { return channels(picture) * channel_bytes(picture); }

std::vector<uint8_t> texels(const Picture &picture) {
  std::vector<uint8_t> bytes(picture.width * picture.height * texel_bytes(picture));
  // Like heap(): no float is NaN.
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<uint8_t>((i * 2654435761u >> 11) & (i % 4 == 3 && picture.kind == Picture::kFloat ? 0x3f : 0xff));
  return bytes;
}

std::array<uint32_t, 4> border(const Picture &picture) {
  if (!picture.has_one_channel) return {};
  const uint32_t one = picture.kind == Picture::kFloat    ? std::bit_cast<uint32_t>(1.0F)
                       : picture.kind == Picture::kUnorm8 ? 255
                                                          : 1;
  return {0, 0, 0, one};
}

std::array<uint32_t, 4> read_texel(const Picture &picture, const uint8_t *texel) {
  std::array<uint32_t, 4> components = border(picture);  // an order without alpha has the same one
  const size_t bytes = channel_bytes(picture);
  for (size_t c = 0; c < channels(picture); ++c) {
    components[c] = 0;
    std::memcpy(&components[c], texel + c * bytes, bytes);
    if (picture.kind == Picture::kInt16) components[c] = static_cast<uint32_t>(static_cast<int16_t>(components[c]));
  }
  return components;
}

void paint_texel(const Picture &canvas, uint32_t value, uint8_t *texel) {
  const std::array<uint32_t, 4> colour{value, value * 3 + 1, ~value, value >> 5};
  const size_t bytes = channel_bytes(canvas);
  for (size_t c = 0; c < channels(canvas); ++c) {
    uint32_t stored = colour[c];
    switch (canvas.kind) {
    case Picture::kUint8: stored = std::min(stored, 255U); break;
    case Picture::kUnorm8: stored &= 255; break;
    case Picture::kInt16: stored = static_cast<uint32_t>(std::clamp(static_cast<int32_t>(stored), -32768, 32767)); break;
    case Picture::kFloat: stored = std::bit_cast<uint32_t>(static_cast<float>(stored)); break;
    case Picture::kUint32: break;
    }
    std::memcpy(texel + c * bytes, &stored, bytes);
  }
}

}  // namespace upsweep::fuzz
