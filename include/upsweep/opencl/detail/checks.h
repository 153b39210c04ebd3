// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of a call's arrays, before anything is enqueued.
#pragma once

#include <upsweep/opencl/detail/call.h>

namespace upsweep::opencl::detail {

inline constexpr std::uint64_t kMaxElements = std::uint64_t(1) << 40;

// The first error of several checks.
template <class... Checks>
cl_int first_error(const Checks &...checks) {
  cl_int code = CL_SUCCESS;
  static_cast<void>((((code = checks()) == CL_SUCCESS) && ...));
  return code;
}

inline cl_int require_count(std::uint64_t n) {
  return n <= kMaxElements ? CL_SUCCESS : fail(CL_INVALID_VALUE, "upsweep: calls take at most 2^40 elements");
}

inline cl_int require_type(const element_type &type, const char *what) {
  if (type.name.empty() || type.bytes == 0 || type.bytes > value::kMaxBytes) {
    return fail(CL_INVALID_VALUE, std::string("upsweep: the type of ") + what + " must have a name and 1 to 64 bytes");
  }
  return CL_SUCCESS;
}

inline cl_int require_buffer(const Call &call, const array &a, std::uint64_t n, const char *what) {
  cl_context context = nullptr;
  std::size_t bytes = 0;
  if (a.memory == nullptr) return fail(CL_INVALID_MEM_OBJECT, std::string("upsweep: ") + what + " is null");
  cl_int code = clGetMemObjectInfo(a.memory, CL_MEM_CONTEXT, sizeof context, &context, nullptr);
  if (code == CL_SUCCESS) code = clGetMemObjectInfo(a.memory, CL_MEM_SIZE, sizeof bytes, &bytes, nullptr);
  if (code != CL_SUCCESS) return check(code, "clGetMemObjectInfo");
  if (context != call.context()) {
    return fail(CL_INVALID_CONTEXT, std::string("upsweep: ") + what + " belongs to another context than the queue");
  }
  const std::size_t room = bytes / a.type.bytes;
  if (a.offset > room || n > room - a.offset) {
    return fail(CL_INVALID_BUFFER_SIZE, std::string("upsweep: ") + what + " has " + std::to_string(room) +
                                            " elements, but the call needs " + std::to_string(n) + " from " +
                                            std::to_string(a.offset) + " on");
  }
  return CL_SUCCESS;
}

// The array must have n contiguous elements. With n == 0 there is no requirement.
inline cl_int require_array(const Call &call, const array &a, std::uint64_t n, const char *what) {
  if (a.indices) return fail(CL_INVALID_VALUE, std::string("upsweep: the call does not take ") + what + " by index");
  const cl_int code = require_type(a.type, what);
  if (code != CL_SUCCESS || n == 0) return code;
  if (!a.is_pointer) return require_buffer(call, a, n, what);
  if (a.pointer == nullptr) return fail(CL_INVALID_VALUE, std::string("upsweep: ") + what + " is null");
  if (reinterpret_cast<std::uintptr_t>(a.pointer) % a.type.alignment != 0) {
    return fail(CL_MISALIGNED_SUB_BUFFER_OFFSET, std::string("upsweep: ") + what + " is not aligned to its type");
  }
  if (!call.device().has_svm) return fail(CL_INVALID_OPERATION, "upsweep: the device does not support SVM pointers");
  return CL_SUCCESS;
}

// The same for calls that also take arrays by index, whose number of elements is unknown.
inline cl_int require_elements(const Call &call, const array &a, std::uint64_t n, const char *what) {
  if (!a.indices) return require_array(call, a, n, what);
  array elements = a;
  elements.indices.reset();
  const cl_int code = require_array(call, elements, std::min<std::uint64_t>(n, 1), what);
  if (code != CL_SUCCESS) return code;
  if (!a.indices->type.is_integer()) return fail(CL_INVALID_VALUE, std::string("upsweep: indices must be integers: ") + what);
  return require_array(call, *a.indices, n, "indices");
}

// The number of elements of a buffer from the array's first one on; unknown for an SVM pointer.
inline std::uint64_t room_of(const array &a) {
  std::size_t bytes = 0;
  if (a.is_pointer || clGetMemObjectInfo(a.memory, CL_MEM_SIZE, sizeof bytes, &bytes, nullptr) != CL_SUCCESS) return UINT64_MAX;
  return bytes / a.type.bytes - std::min(a.offset, bytes / a.type.bytes);
}

inline cl_int require_integer(const element_type &type, const char *what) {
  return type.is_integer() ? CL_SUCCESS
                           : fail(CL_INVALID_VALUE, std::string("upsweep: ") + what + " must be of an integer type");
}

// The bytes of an array, from `begin` on in the outermost buffer, or in the address space if that is null.
struct Range {
  cl_mem memory = nullptr;
  std::uint64_t begin = 0, end = 0;
};

inline Range range_of(const array &a, std::uint64_t n) {
  const std::uint64_t bytes = n * a.type.bytes;
  if (a.is_pointer) {
    const auto begin = reinterpret_cast<std::uintptr_t>(a.pointer);
    return {nullptr, begin, begin + bytes};
  }
  Range range{a.memory, a.offset * a.type.bytes, 0};
  cl_mem parent = nullptr;
  std::size_t origin = 0;
  void *host = nullptr;
  cl_bool is_svm = CL_FALSE;
  if (clGetMemObjectInfo(a.memory, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent, nullptr) == CL_SUCCESS &&
      parent != nullptr) {
    clGetMemObjectInfo(a.memory, CL_MEM_OFFSET, sizeof origin, &origin, nullptr);
    range.memory = parent;
    range.begin += origin;
  }
  // A buffer over SVM counts as that SVM memory.
  if (clGetMemObjectInfo(a.memory, CL_MEM_USES_SVM_POINTER, sizeof is_svm, &is_svm, nullptr) == CL_SUCCESS &&
      is_svm != CL_FALSE && clGetMemObjectInfo(range.memory, CL_MEM_HOST_PTR, sizeof host, &host, nullptr) == CL_SUCCESS) {
    range = {nullptr, range.begin + reinterpret_cast<std::uintptr_t>(host), 0};
  }
  range.end = range.begin + bytes;
  return range;
}

inline bool is_same_place(const array &a, const array &b) {
  if (a.indices || b.indices) return false;
  const Range x = range_of(a, 1), y = range_of(b, 1);
  return x.memory == y.memory && x.begin == y.begin && a.type.bytes == b.type.bytes;
}

}  // namespace upsweep::opencl::detail
