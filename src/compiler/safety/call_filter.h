// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A seccomp filter: the system calls that compiling takes, by name; all others fail with EPERM.
#ifndef UPSWEEP_COMPILER_SAFETY_CALL_FILTER_H
#define UPSWEEP_COMPILER_SAFETY_CALL_FILTER_H

namespace upsweep::compiler {

[[nodiscard]] bool can_filter_calls();

/// For this process and for ever. Needs no_new_privs. False with errno when the kernel refuses.
[[nodiscard]] bool filter_calls();

}  // namespace upsweep::compiler
#endif
