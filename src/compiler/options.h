// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The option strings of clBuildProgram, clCompileProgram and clLinkProgram, split, checked and sorted by who uses them.
#ifndef UPSWEEP_COMPILER_OPTIONS_H
#define UPSWEEP_COMPILER_OPTIONS_H

#include "compiler/restrictions.h"

#include "llvm/Support/Error.h"

#include <string>
#include <string_view>
#include <vector>

namespace upsweep::compiler {

/// Which entry point an option string came from: each allows another set.
enum class OptionContext : uint8_t { kBuild = 1, kCompile = 2, kLink = 4 };

struct Options {
  std::vector<std::string> clang_arguments;  ///< cc1 spelling: -D, -I, the floating-point options, warnings
  std::string language = "CL1.2";            ///< without -cl-std the highest OpenCL C 1.x, as the specification says
  std::vector<std::string> without;          ///< -cl-ext=-NAME: features and extensions to do without
  Treatments treatments;                     ///< -W...: what of the forbidden is permitted
  bool opt_disable = false;                  ///< -cl-opt-disable
  bool argument_info = false;                ///< -cl-kernel-arg-info
  bool debug_info = false;                   ///< -g
  bool create_library = false;
  bool enable_link_options = false;
  bool allow_unsafe_source = false;  ///< no option of a program: UPSWEEP_ALLOW_UNSAFE_SOURCE
};

/// Splits at white space. Double and single quotes group; a backslash takes the next quote, backslash or space literally.
[[nodiscard]] llvm::Expected<std::vector<std::string>> split_options(std::string_view text);

/// The error's text names the option that is wrong and says why.
[[nodiscard]] llvm::Expected<Options> parse_options(std::string_view text, OptionContext context);
[[nodiscard]] llvm::Expected<Options> parse_options(std::vector<std::string> words, OptionContext context);

}  // namespace upsweep::compiler
#endif
