// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors of the command line's functions: a text for the user at the terminal.
#ifndef UPSWEEP_CLI_RESULT_H
#define UPSWEEP_CLI_RESULT_H

#include <fmt/format.h>
#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace upsweep::cli {

// A text, and whether the command line itself is wrong, whatever files and devices there are. The command then ends with
// another status.
class Error : public std::string {
public:
  Error() = default;
  Error(std::string text, bool is_misuse = false) : std::string(std::move(text)), is_misuse(is_misuse) {}

  bool is_misuse = false;
};

template <typename T>
using Result = tl::expected<T, Error>;
using Failure = tl::unexpected<Error>;

template <typename... Args>
[[nodiscard]] Failure fail(fmt::format_string<Args...> format, Args &&...args) {
  return Failure(Error(fmt::format(format, std::forward<Args>(args)...)));
}

// For errors in options and operands.
template <typename... Args>
[[nodiscard]] Failure misuse(fmt::format_string<Args...> format, Args &&...args) {
  return Failure(Error(fmt::format(format, std::forward<Args>(args)...), true));
}

}  // namespace upsweep::cli
#endif
