// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a test is built with a sanitizer, under which long loops take tens of seconds.
#ifndef UPSWEEP_TESTS_SANITIZER_H
#define UPSWEEP_TESTS_SANITIZER_H

namespace upsweep::tests {

#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

}  // namespace upsweep::tests

#endif
