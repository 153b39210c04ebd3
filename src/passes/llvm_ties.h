// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options of LLVM that are no part of its API. docs/llvm-ties.md lists all that rests on the insides of LLVM and Clang, with
// what notices when it no longer holds.
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

/// An option that is missing is an error of ours, not of the user's.
inline llvm::cl::Option *registered_option(const char *name) {
  llvm::cl::Option *option = llvm::cl::getRegisteredOptions().lookup(name);
  if (!option) llvm::report_fatal_error(llvm::Twine("LLVM has no option ") + name);
  return option;
}

}  // namespace upsweep::passes
#endif
