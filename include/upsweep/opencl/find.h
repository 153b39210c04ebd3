// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Searches on a command queue, which end soon after the match.
//
//   find_if   *place = the least i for which predicate(x[i]), or n
//
// `in`         array of n elements.
// `place`      array of one integer outside of the input.
// `n`          number of elements, up to 2^40, or count_at (count.h).
// `predicate`  up::function("is_large", "bool is_large(int x) { return x > 100; }").
// `options`    wait_for, signal.
//
// Two launches. Each work-group may read up to two tiles behind the match. Errors: error.h.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/opencl/detail/call_arrays.h>
#include <upsweep/opencl/detail/simple_call.h>

namespace upsweep::opencl {

namespace detail {

inline cl_int run_find(Call &call, const array &in, const array &place, const element_count &n, const function &predicate) {
  const Shape shape = simple_shape(call, 256, 8, true);
  Source source;
  source.define("UPS_PREDICATE(x)", predicate.name + "(x)");
  source.define_array("UPS_IN", in);
  source.define_type("UPS_NUMBER", place.type);
  source.add_function(predicate.text);
  define_count(source, n);
  define_shape(source, shape, call.how());
  source.add_kernels(kernels::indexed);
  source.add_kernels(kernels::find);
  const std::uint64_t groups = groups_at_work(call.device(), (n.most + shape.tile() - 1) / shape.tile());
  std::shared_ptr<Program> program;
  cl_mem first = nullptr, places = nullptr;
  return first_error([&] { return require_number(n); }, [&] { return require_integer(place.type, "the place"); },
                     [&] {
                       return require_arrays(
                           call, {reads("the input", in, n.most).by_index(), writes("the place", place, 1), reads_number(n)});
                     },
                     [&] { return call.program(source, &program); }, [&] { return call.scratch(4, &first); },
                     [&] { return call.scratch(8 * groups, &places); }, [&] { return call.fill_zeros(first, 0, 4); },
                     [&] {
                       Arguments arguments;
                       arguments.add(in).add(n).memory(first).memory(places);
                       return call.launch(*program, "ups_find", arguments, groups, shape.group);
                     },
                     [&] {
                       Arguments arguments;
                       arguments.add(place).add(n).number(cl_ulong(groups)).memory(first).memory(places);
                       return call.launch(*program, "ups_found", arguments, 1, 1);
                     });
}

}  // namespace detail

template <class... Given>
cl_int find_if(const array &in, const array &place, const element_count &n, const function &predicate, queue queue,
               const Given &...options) {
  const auto all = detail::options_of<>(options...);
  return detail::run_call(queue, all, [&](detail::Call &call) { return detail::run_find(call, in, place, n, predicate); });
}

}  // namespace upsweep::opencl
#endif
