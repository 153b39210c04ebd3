// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A seccomp filter: permits the system calls that compiling needs; all others fail with EPERM.
#ifndef UPSWEEP_COMPILER_SAFETY_CALL_FILTER_H
#define UPSWEEP_COMPILER_SAFETY_CALL_FILTER_H

namespace upsweep::compiler {

[[nodiscard]] bool can_filter_calls();

/// Permanent for this process. Needs no_new_privs. False, with errno set, if the kernel refuses.
[[nodiscard]] bool filter_calls();

}  // namespace upsweep::compiler
#endif
