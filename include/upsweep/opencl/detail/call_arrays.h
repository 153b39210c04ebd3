// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arrays of a call in one table, which is checked before anything is enqueued, as in the CPU library. Each array has its
// elements, and an array that is written overlaps no other array.
//
//     require_arrays(call, {reads("keys", keys, n), reads("the input", in, n, kTogether), writes("the output", out, n,
//     kTogether)})
//
// Arrays of one group may be the same: they begin at the same place and have elements of the same size. For a gathered or
// scattered array the check covers only its indices, which the call reads.
#pragma once

#include <upsweep/opencl/detail/checks.h>

#include <initializer_list>
#include <vector>

namespace upsweep::opencl::detail {

struct CallArray {
  const char *name = "";
  const array *of = nullptr;  // null: the call has no such array
  std::uint64_t n = 0;
  bool is_written = false;
  unsigned group = 0;
  bool may_have_indices = false;

  // Elements may be gathered or scattered (gather.h).
  CallArray by_index() const {
    CallArray array = *this;
    array.may_have_indices = true;
    return array;
  }
};

// Most calls have one group of arrays; calls with values have a second group.
inline constexpr unsigned kApart = 0, kTogether = 1, kValuesTogether = 2;

inline CallArray reads(const char *name, const array &a, std::uint64_t n, unsigned group = kApart) {
  return {name, &a, n, false, group, false};
}
inline CallArray writes(const char *name, const array &a, std::uint64_t n, unsigned group = kApart) {
  return {name, &a, n, true, group, false};
}
// An array that a call may lack: a null pointer, or an option.
inline CallArray reads(const char *name, const array *a, std::uint64_t n, unsigned group = kApart) {
  return {name, a, n, false, group, false};
}
inline CallArray writes(const char *name, const array *a, std::uint64_t n, unsigned group = kApart) {
  return {name, a, n, true, group, false};
}
inline const array *if_given(const std::optional<array> &a) { return a ? &*a : nullptr; }
inline const array *if_given(bool is_given, const array &a) { return is_given ? &a : nullptr; }

inline CallArray reads_number(const element_count &n) { return reads("the number of elements", if_given(n.at), 1); }
template <class Initial>  // a pointer or an option
CallArray reads_initial(const Initial &initial, unsigned group = kApart) {
  return reads("the initial value", initial ? if_given(initial->at) : nullptr, 1, group);
}

// The bytes of an array, or of its indices.
struct CallRange {
  const CallArray *array;
  Range bytes;
  bool is_written;
  bool is_of_indices;

  bool overlaps(const CallRange &other) const {
    return bytes.memory == other.bytes.memory && bytes.begin < other.bytes.end && other.bytes.begin < bytes.end;
  }
  bool may_be(const CallRange &other) const {
    return !is_of_indices && !other.is_of_indices && array->group != kApart && array->group == other.array->group &&
           bytes.begin == other.bytes.begin && array->of->type.bytes == other.array->of->type.bytes;
  }
};

inline cl_int require_arrays(const Call &call, std::initializer_list<CallArray> arrays) {
  std::vector<CallRange> ranges;
  for (const CallArray &a : arrays) {
    if (a.of == nullptr) continue;
    const cl_int code =
        a.may_have_indices ? require_elements(call, *a.of, a.n, a.name) : require_array(call, *a.of, a.n, a.name);
    if (code != CL_SUCCESS) return code;
    if (a.n == 0) continue;
    const bool has_indices = a.of->indices != nullptr;
    ranges.push_back({&a, range_of(has_indices ? *a.of->indices : *a.of, a.n), a.is_written && !has_indices, has_indices});
  }
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    for (std::size_t k = i + 1; k < ranges.size(); ++k) {
      const CallRange &x = ranges[i], &y = ranges[k];
      if ((x.is_written || y.is_written) && x.overlaps(y) && !x.may_be(y)) {
        return fail(CL_MEM_COPY_OVERLAP, std::string("upsweep: ") + x.array->name + " and " + y.array->name + " overlap");
      }
    }
  }
  return CL_SUCCESS;
}

// Checks the number of elements, and its type if it is in device memory.
inline cl_int require_number(const element_count &n) {
  const cl_int code = require_count(n.most);
  return code == CL_SUCCESS && n.at ? require_integer(n.at->type, "the number of elements") : code;
}

}  // namespace upsweep::opencl::detail
