// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How functions of the command line fail: with a text for the person at the terminal.
#ifndef UPSWEEP_CLI_RESULT_H
#define UPSWEEP_CLI_RESULT_H

#include <fmt/format.h>
#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace upsweep::cli {

template <typename T>
using Result = tl::expected<T, std::string>;
using Failure = tl::unexpected<std::string>;

template <typename... Args>
[[nodiscard]] Failure fail(fmt::format_string<Args...> format, Args &&...args) {
  return Failure(fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace upsweep::cli
#endif
