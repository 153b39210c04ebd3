// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The search for the least or the largest element (kernels/arg.cl).
#pragma once

#include <upsweep/common/indexed.h>
#include <upsweep/opencl/detail/call_arrays.h>
#include <upsweep/opencl/detail/simple_call.h>

namespace upsweep::opencl {

using common::indexed;

namespace detail {

// The type indexed<T> for elements of a type; the structs of C++ and OpenCL C have the same layout.
inline element_type indexed_type(const element_type &value) {
  const std::string name = "upsweep_indexed_" + value.name;
  return {name, "typedef struct { " + value.name + " value; ulong index; } " + name + ";", 16, 8};
}

inline cl_int check_arg(const Call &call, const array &in, const array &out, const element_count &n) {
  return first_error(
      [&] { return require_number(n); },
      [&] {
        return in.type.is_number() && out.type == indexed_type(in.type)
                   ? CL_SUCCESS
                   : fail(CL_INVALID_VALUE,
                          "upsweep: the output must have the type indexed<T>, with the input's type T of numbers");
      },
      [&] {
        return require_arrays(call, {reads("the input", in, n.most).by_index(), writes("the output", out, 1), reads_number(n)});
      });
}

inline cl_int run_arg(Call &call, const array &in, const array &out, const element_count &n, bool is_least) {
  const Shape shape = simple_shape(call, 256, 16, true);
  Source source;
  source.define("UPS_LEAST", is_least ? 1 : 0);
  source.define_array("UPS_IN", in);
  source.define_type("UPS_INDEXED", out.type);
  define_count(source, n);
  define_shape(source, shape, call.how());
  source.add_kernels(kernels::indexed);
  source.add_kernels(kernels::arg);
  const Parts parts(call.device(), std::max<std::uint64_t>(1, shape.tiles(n.most)));
  std::shared_ptr<Program> program;
  cl_mem memory = nullptr;
  return first_error([&] { return check_arg(call, in, out, n); },
                     [&] { return n.most == 0 ? CL_SUCCESS : call.program(source, &program); },
                     [&] { return call.scratch(16 * parts.count, &memory); },
                     [&] {
                       if (n.most == 0) return CL_SUCCESS;
                       Arguments arguments;
                       arguments.add(in).add(n).number(cl_ulong(parts.per)).memory(memory);
                       return call.launch(*program, "ups_arg_of_parts", arguments, parts.count, shape.group);
                     },
                     [&] {
                       if (n.most == 0) return CL_SUCCESS;
                       Arguments arguments;
                       arguments.memory(memory).number(cl_ulong(parts.count)).add(out);
                       return call.launch(*program, "ups_arg_of_all", arguments, 1, shape.group);
                     });
}

}  // namespace detail

template <class T>
struct type_of<indexed<T>> {
  static element_type value() { return detail::indexed_type(type_of<T>::value()); }
};

}  // namespace upsweep::opencl
