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
  return n <= kMaxElements ? CL_SUCCESS : fail(CL_INVALID_VALUE, "upsweep: more than 2^40 elements");
}

inline cl_int require_type(const element_type &type, const char *what) {
  if (type.name.empty() || type.bytes == 0 || type.bytes > value::kMaxBytes) {
    return fail(CL_INVALID_VALUE, std::string("upsweep: the type of ") + what + " has no name or not 1 to 64 bytes");
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
    return fail(CL_INVALID_CONTEXT, std::string("upsweep: ") + what + " is of another context than the queue");
  }
  const std::size_t room = bytes / a.type.bytes;
  if (a.offset > room || n > room - a.offset) {
    return fail(CL_INVALID_BUFFER_SIZE, std::string("upsweep: ") + what + " has " + std::to_string(room) + " elements, and " +
                                            std::to_string(n) + " from " + std::to_string(a.offset) + " on are asked for");
  }
  return CL_SUCCESS;
}

// The array has n elements side by side. Of n == 0 nothing is asked.
inline cl_int require_array(const Call &call, const array &a, std::uint64_t n, const char *what) {
  if (a.indices) return fail(CL_INVALID_VALUE, std::string("upsweep: the call takes no elements by index: ") + what);
  const cl_int code = require_type(a.type, what);
  if (code != CL_SUCCESS || n == 0) return code;
  if (!a.is_pointer) return require_buffer(call, a, n, what);
  if (a.pointer == nullptr) return fail(CL_INVALID_VALUE, std::string("upsweep: ") + what + " is null");
  if (reinterpret_cast<std::uintptr_t>(a.pointer) % a.type.alignment != 0) {
    return fail(CL_MISALIGNED_SUB_BUFFER_OFFSET, std::string("upsweep: ") + what + " is misaligned");
  }
  if (!call.device().has_svm) return fail(CL_INVALID_OPERATION, "upsweep: the device has no SVM");
  return CL_SUCCESS;
}

// The same of calls that take arrays by index, too, of which the elements' number is not known.
inline cl_int require_elements(const Call &call, const array &a, std::uint64_t n, const char *what) {
  if (!a.indices) return require_array(call, a, n, what);
  array elements = a;
  elements.indices.reset();
  const cl_int code = require_array(call, elements, std::min<std::uint64_t>(n, 1), what);
  if (code != CL_SUCCESS) return code;
  if (!a.indices->type.is_integer()) return fail(CL_INVALID_VALUE, std::string("upsweep: indices are integers, of ") + what);
  return require_array(call, *a.indices, n, "indices");
}

// Elements of a buffer from the array's first one on; of an SVM pointer it is not known.
inline std::uint64_t room_of(const array &a) {
  std::size_t bytes = 0;
  if (a.is_pointer || clGetMemObjectInfo(a.memory, CL_MEM_SIZE, sizeof bytes, &bytes, nullptr) != CL_SUCCESS) return UINT64_MAX;
  return bytes / a.type.bytes - std::min(a.offset, bytes / a.type.bytes);
}

inline cl_int require_integer(const element_type &type, const char *what) {
  return type.is_integer() ? CL_SUCCESS : fail(CL_INVALID_VALUE, std::string("upsweep: not an integer: ") + what);
}

// Bytes of an array: from `begin` on in the outermost buffer, or in the address space if that is null.
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
  // A buffer over SVM is that memory.
  if (clGetMemObjectInfo(a.memory, CL_MEM_USES_SVM_POINTER, sizeof is_svm, &is_svm, nullptr) == CL_SUCCESS &&
      is_svm != CL_FALSE && clGetMemObjectInfo(range.memory, CL_MEM_HOST_PTR, sizeof host, &host, nullptr) == CL_SUCCESS) {
    range = {nullptr, range.begin + reinterpret_cast<std::uintptr_t>(host), 0};
  }
  range.end = range.begin + bytes;
  return range;
}

// Of gathered elements the places are not known; their indices must not be written. Of scattered ones nothing is known.
inline bool overlap(const array &a, std::uint64_t a_count, const array &b, std::uint64_t b_count) {
  if (a_count == 0 || b_count == 0 || a.is_scattered || b.is_scattered) return false;
  if (a.indices) return overlap(*a.indices, a_count, b, b_count);
  if (b.indices) return overlap(a, a_count, *b.indices, b_count);
  const Range x = range_of(a, a_count), y = range_of(b, b_count);
  return x.memory == y.memory && x.begin < y.end && y.begin < x.end;
}

inline bool is_same_place(const array &a, const array &b) {
  if (a.indices || b.indices) return false;
  const Range x = range_of(a, 1), y = range_of(b, 1);
  return x.memory == y.memory && x.begin == y.begin && a.type.bytes == b.type.bytes;
}

inline cl_int require_apart(const array &a, std::uint64_t a_count, const array &b, std::uint64_t b_count, const char *what) {
  return overlap(a, a_count, b, b_count) ? fail(CL_MEM_COPY_OVERLAP, std::string("upsweep: overlapping arrays: ") + what)
                                         : CL_SUCCESS;
}

// The number of elements, if the device has it, lies apart from an output: kernels read it again after others have written.
inline cl_int require_count_apart(const element_count &n, const array &out, std::uint64_t room) {
  return n.at ? require_apart(*n.at, 1, out, room, "the number of elements and output") : CL_SUCCESS;
}

// Its type and room, and that it lies apart from the output.
inline cl_int require_count(const Call &call, const element_count &n, const array &out, std::uint64_t room) {
  if (!n.at) return require_count(n.most);
  return first_error([&] { return require_count(n.most); },
                     [&] { return require_integer(n.at->type, "the number of elements"); },
                     [&] { return require_array(call, *n.at, 1, "the number of elements"); },
                     [&] { return require_count_apart(n, out, room); });
}

// The arrays are the same or do not overlap.
inline cl_int require_same_or_apart(const array &a, const array &b, std::uint64_t n, const char *what) {
  return n == 0 || is_same_place(a, b) ? CL_SUCCESS : require_apart(a, n, b, n, what);
}

}  // namespace upsweep::opencl::detail
