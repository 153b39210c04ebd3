// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// UPSWEEP_CHECK_SUPPRESS: findings that are not reported.
#ifndef UPSWEEP_RUNTIME_CHECK_SUPPRESSIONS_H
#define UPSWEEP_RUNTIME_CHECK_SUPPRESSIONS_H

#include "runtime/check/finding.h"
#include <string_view>
#include <vector>

namespace upsweep {

/// A line of the file: the kind, the kernel and the place, as shell patterns.
struct Suppression {
  std::string kind, kernel, place;
};

/// Lines of up to three words; missing words match everything. '#' begins a comment.
std::vector<Suppression> parse_suppressions(std::string_view text);
bool matches(const Suppression &suppression, const Finding &finding);

/// A pragma of the source or the environment's file suppresses the finding.
bool is_suppressed(const Finding &finding);

}  // namespace upsweep
#endif
