// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The frame of every entry point: turns a Result into the C interface's error code, and catches all exceptions.
#ifndef UPSWEEP_API_ENTRY_H
#define UPSWEEP_API_ENTRY_H

#include "base/log.h"
#include "base/result.h"
#include <exception>
#include <new>
#include <type_traits>

namespace upsweep {

/// Runs `body`, of type () -> Result<T>; turns exceptions of the standard library into errors.
template <typename Body>
std::invoke_result_t<Body> run_guarded(Body &&body) {
  try {
    return body();
  } catch (const std::bad_alloc &) {
    return fail(CL_OUT_OF_HOST_MEMORY);  // no text: it would need memory
  } catch (const std::exception &) {
    return fail(CL_OUT_OF_RESOURCES);
  }
}

/// An entry point that returns an error code. `name` is __func__, `body` is () -> Result<void>.
template <typename Body>
cl_int entry(const char *name, Body &&body) {
  auto result = run_guarded(body);
  if (result) return CL_SUCCESS;
  log_line(name, result.error().text);
  return result.error().code;
}

/// An entry point that returns a handle or pointer and stores the error code, `body` is () -> Result<Handle>.
template <typename Body>
typename std::invoke_result_t<Body>::value_type entry(const char *name, cl_int *errcode_ret, Body &&body) {
  auto result = run_guarded(body);
  if (errcode_ret) *errcode_ret = result ? CL_SUCCESS : result.error().code;
  if (result) return *result;
  log_line(name, result.error().text);
  return nullptr;
}

}  // namespace upsweep
#endif
