// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Result<T>: a value, or an OpenCL error code with a text that names the fault.
#ifndef UPSWEEP_BASE_RESULT_H
#define UPSWEEP_BASE_RESULT_H

#include <CL/cl.h>
#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace upsweep {

struct Error {
  cl_int code;
  std::string text;  ///< names the argument, its value and the allowed ones; may be empty
};

template <typename T>
using Result = tl::expected<T, Error>;

/// An error, to return from any function that returns a Result.
[[nodiscard]] inline tl::unexpected<Error> fail(cl_int code, std::string text = {}) {
  return tl::unexpected<Error>(Error{code, std::move(text)});
}

/// Passes on the error of another Result.
template <typename T>
[[nodiscard]] tl::unexpected<Error> fail(const Result<T> &failed) {
  return tl::unexpected<Error>(failed.error());
}

}  // namespace upsweep
#endif
