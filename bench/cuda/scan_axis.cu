// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The benchmark of device-wide scans: along axes of arrays, from narrow to wide rows, single and in batches, aligned to
// vectors or not, without gaps and with them.
#include "scan_cases.h"

#include <upsweep/cuda/axis.cuh>

namespace upsweep::bench {

namespace {

// A length of 0 means one batch. Both arrays begin `shift` elements behind a vector, and rows have gaps of `gap` elements.
struct Shape {
  const char *type;
  std::size_t inner, length;
  std::size_t gap = 0, shift = 0;
};
constexpr Shape kShapes[] = {{"u32", 3, 0},         {"u32", 32, 0},      {"u32", 100, 0},           {"u32", 1000, 0},
                             {"u32", 1023, 0},      {"u32", 2000, 0},    {"u32", 5000, 0},          {"u32", 16384, 0},
                             {"u32", 65536, 0},     {"u32", 64, 8},      {"u32", 64, 256},          {"u32", 64, 4096},
                             {"u32", 1000, 1024},   {"u32", 1023, 1024}, {"u8", 4096, 0},           {"u8", 4096, 256},
                             {"f64", 4096, 0},      {"u32", 1023, 1023}, {"u32", 1000, 1024, 0, 1}, {"u32", 1000, 1024, 24, 1},
                             {"u32", 333, 1024, 1}, {"f64", 1023, 1023}, {"u8", 1023, 1023},        {"u32", 101, 0, 0, 1},
                             {"u32", 4099, 0},      {"u32", 65537, 0},   {"u32", 300, 0},           {"f64", 100, 0},
                             {"f64", 333, 0}};

// An axis of at most n elements, gaps included.
cuda::axis axis_of(const Shape &shape, std::size_t n) {
  n -= shape.shift;
  cuda::axis of;
  of.inner = shape.inner + shape.gap < n ? shape.inner : n - shape.gap;
  of.in.along = of.out.along = of.inner + shape.gap;
  of.length = shape.length > 0 && shape.length * of.in.along < n ? shape.length : n / of.in.along;
  of.batches = n / (of.in.along * of.length);
  return of;
}

template <class T>
ScanCase axis_case(const Shape &shape) {
  const std::string lengths = shape.length > 0 ? std::to_string(shape.length) + " x " : std::string();
  const std::string gap = shape.gap > 0 ? " (+ " + std::to_string(shape.gap) + ")" : std::string();
  const std::string from = shape.shift > 0 ? " from " + std::to_string(shape.shift) : std::string();
  const std::string name = "sum along axis of " + lengths + std::to_string(shape.inner) + gap + from;
  const double bytes = 2.0 * sizeof(T) * shape.inner / (shape.inner + shape.gap);
  ScanCase of =
      own_case(name.c_str(), shape.type, sizeof(T), bytes, false, [=](const ScanArrays &a, std::size_t n, cudaStream_t stream) {
        return cuda::inclusive_sum_of_axis(a.space, static_cast<const T *>(a.in) + shape.shift,
                                           static_cast<T *>(a.out) + shape.shift, axis_of(shape, n), stream);
      });
  of.is_quick = shape.inner == 16384;
  return of;
}

// visit(shape, T()) for every shape.
template <class Visit>
void for_shapes(const Visit &visit) {
  for (const Shape &shape : kShapes) {
    switch (shape.type[1]) {
    case '8': visit(shape, std::uint8_t()); break;
    case '3': visit(shape, std::uint32_t()); break;
    default: visit(shape, double()); break;
    }
  }
}

}  // namespace

std::vector<ScanCase> axis_cases() {
  std::vector<ScanCase> cases;
  for_shapes([&](const Shape &shape, auto element) { cases.push_back(axis_case<decltype(element)>(shape)); });
  return cases;
}

std::size_t axis_space_bytes(std::size_t most_bytes) {
  std::size_t most = 0;
  for_shapes([&](const Shape &shape, auto element) {
    using T = decltype(element);
    most = std::max(most, cuda::axis_scan_workspace_bytes<T>(axis_of(shape, most_bytes / sizeof(T))));
  });
  return most;
}

}  // namespace upsweep::bench
