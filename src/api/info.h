// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Info queries as tables: one row and one typed write per query.
#ifndef UPSWEEP_API_INFO_H
#define UPSWEEP_API_INFO_H

#include "base/result.h"
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace upsweep {

/// The destination of a query's answer: the last three parameters of every clGet…Info.
struct InfoOut {
  size_t size;
  void *value;
  size_t *size_ret;

  /// Writes one value. Callers always spell out the type that the specification gives.
  template <typename T>
  Result<void> write(const std::type_identity_t<T> &answer) const {
    static_assert(std::is_trivially_copyable_v<T>);
    return write_bytes(&answer, sizeof(T));
  }
  /// Writes an array; an empty array has size 0.
  template <typename T>
  Result<void> write_array(std::span<const T> answer) const {
    return write_bytes(answer.data(), answer.size_bytes());
  }
  /// Writes a string with its terminating zero.
  Result<void> write_string(std::string_view answer) const {
    return write_bytes(std::string(answer).c_str(), answer.size() + 1);
  }

  Result<void> write_bytes(const void *answer, size_t bytes) const {
    // "CL_INVALID_VALUE if size in bytes specified by param_value_size is < size of return type and param_value is not NULL"
    if (value && size < bytes)
      return fail(CL_INVALID_VALUE,
                  "param_value_size is " + std::to_string(size) + ", the answer has " + std::to_string(bytes) + " bytes");
    if (value && bytes) std::memcpy(value, answer, bytes);
    if (size_ret) *size_ret = bytes;
    return {};
  }
};

/// A row of a query table.
template <typename T>
struct InfoEntry {
  cl_uint name;
  Result<void> (*answer)(const T &object, const InfoOut &out);
};

/// Answers from a table; CL_INVALID_VALUE for names that it lacks.
template <typename T>
Result<void> answer_info(std::span<const InfoEntry<std::type_identity_t<T>>> table, const T &object, cl_uint name,
                         const InfoOut &out) {
  for (const InfoEntry<T> &entry : table)
    if (entry.name == name) return entry.answer(object, out);
  return fail(CL_INVALID_VALUE, "param_name " + std::to_string(name) + " is not a query of this object");
}

}  // namespace upsweep
#endif
