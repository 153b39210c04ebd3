// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The option strings of clBuildProgram, clCompileProgram and clLinkProgram: split, checked and sorted by their consumer.
#ifndef UPSWEEP_COMPILER_OPTIONS_H
#define UPSWEEP_COMPILER_OPTIONS_H

#include "compiler/restrictions.h"

#include "llvm/Support/Error.h"

#include <string>
#include <string_view>
#include <vector>

namespace upsweep::compiler {

/// The entry point of an option string; each allows a different set of options.
enum class OptionContext : uint8_t { kBuild = 1, kCompile = 2, kLink = 4 };

struct Options {
  std::vector<std::string> clang_arguments;  ///< in cc1's spelling: -D, -I, floating-point options, warnings
  std::string language = "CL1.2";            ///< without -cl-std, the highest OpenCL C 1.x, as specified
  std::vector<std::string> without;          ///< -cl-ext=-NAME: disabled features and extensions
  Treatments treatments;                     ///< -W...: treatments of restrictions
  bool opt_disable = false;                  ///< -cl-opt-disable
  bool argument_info = false;                ///< -cl-kernel-arg-info
  bool debug_info = false;                   ///< -g
  bool line_tables = false;                  ///< -gline-tables-only, and the kernel checker
  bool remarks = false;                      ///< -Rupsweep
  bool create_library = false;
  bool enable_link_options = false;
  bool allow_unsafe_source = false;  ///< UPSWEEP_ALLOW_UNSAFE_SOURCE; not a build option

  [[nodiscard]] bool wants_lines() const { return debug_info || line_tables || remarks; }
};

/// Splits at white space. Double and single quotes group; a backslash escapes a following quote, backslash or space.
[[nodiscard]] llvm::Expected<std::vector<std::string>> split_options(std::string_view text);

/// The error's text names the wrong option and the reason.
[[nodiscard]] llvm::Expected<Options> parse_options(std::string_view text, OptionContext context);
[[nodiscard]] llvm::Expected<Options> parse_options(std::vector<std::string> words, OptionContext context);

}  // namespace upsweep::compiler
#endif
