// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements that differ in their bytes are compared as numbers.
#include "cli/results.h"

#include "cli/prepare.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace upsweep::cli {
namespace {

bool is_close(Scalar scalar, const std::byte *ours, const std::byte *theirs, double tolerance) {
  if (!is_real(scalar)) return false;
  return with_type(scalar, [&](auto a) {
    auto b = a;
    std::memcpy(&a, ours, sizeof a);
    std::memcpy(&b, theirs, sizeof b);
    const double x = static_cast<double>(a), y = static_cast<double>(b);
    if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
    return x == y || std::abs(x - y) <= tolerance * std::max(std::abs(x), std::abs(y));
  });
}

// The fourth component of a vector of 3 is padding.
bool is_padding(const ValueType &type, size_t scalar) { return type.width == 3 && scalar % 4 == 3; }

Result<void> compare(const Parameter &parameter, const HostArgument &ours, const HostArgument &theirs, double tolerance) {
  if (ours.bytes.size() != theirs.bytes.size())
    return fail("the results of '{}' have {} and {} bytes", parameter.name, ours.bytes.size(), theirs.bytes.size());
  if (std::ranges::equal(ours.bytes, theirs.bytes)) return {};
  const size_t bytes = info_of(ours.type.scalar).bytes;
  for (size_t at = 0; at + bytes <= ours.bytes.size(); at += bytes) {
    const std::byte *a = &ours.bytes[at], *b = &theirs.bytes[at];
    if (std::memcmp(a, b, bytes) == 0 || is_padding(ours.type, at / bytes)) continue;
    if (is_close(ours.type.scalar, a, b, tolerance)) continue;
    return fail("the results differ: element {} of '{}' is {}, but {} in the earlier version", at / ours.type.bytes(),
                parameter.name, format_scalar(ours.type.scalar, a), format_scalar(ours.type.scalar, b));
  }
  return {};
}

}  // namespace

Result<void> compare_results(const std::vector<Parameter> &parameters, const std::vector<HostArgument> &ours,
                             const std::vector<HostArgument> &theirs, double tolerance) {
  for (size_t i = 0; i < ours.size(); ++i)
    if (has_memory(ours[i]))
      if (auto done = compare(parameters[i], ours[i], theirs[i], tolerance); !done) return done;
  return {};
}

}  // namespace upsweep::cli
