// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM options that are not part of its API. docs/llvm-ties.md lists all dependencies on LLVM's and Clang's internals, and the
// checks that detect changes.
#ifndef UPSWEEP_PASSES_LLVM_TIES_H
#define UPSWEEP_PASSES_LLVM_TIES_H

#include <llvm/Config/llvm-config.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/ErrorHandling.h>

namespace upsweep::passes {

static_assert(LLVM_VERSION_MAJOR == 19, "go through docs/llvm-ties.md: another LLVM may have other insides");

inline constexpr const char *kSinkCommonOption = "simplifycfg-sink-common";
inline constexpr const char *kHoistCommonOption = "simplifycfg-hoist-common";
inline constexpr const char *kNoStrengthReductionOption = "disable-lsr";

/// A missing option is a bug of the compiler, not the user's error.
inline llvm::cl::Option *registered_option(const char *name) {
  llvm::cl::Option *option = llvm::cl::getRegisteredOptions().lookup(name);
  if (!option) llvm::report_fatal_error(llvm::Twine("LLVM has no option ") + name);
  return option;
}

}  // namespace upsweep::passes
#endif
