// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants that tell which sanitizers the code is built with.
#ifndef UPSWEEP_BASE_SANITIZER_H
#define UPSWEEP_BASE_SANITIZER_H

#ifndef __has_feature
#define __has_feature(feature) 0
#endif

namespace upsweep {

/// Whether a sanitizer that checks memory is on.
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || defined(__SANITIZE_ADDRESS__) ||                    \
    defined(__SANITIZE_THREAD__)
inline constexpr bool kIsSanitized = true;
#else
inline constexpr bool kIsSanitized = false;
#endif
/// Shadow memory takes terabytes of address space.
inline constexpr bool kNeedsHugeAddressSpace = kIsSanitized;

}  // namespace upsweep

/// For functions that run on a stack, or in a process, unknown to the sanitizers.
#define UPSWEEP_NOT_SANITIZED __attribute__((no_sanitize("address", "thread")))

#endif
