// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elements of runs on a command queue, from their values and lengths.
//
//   run_length_decode   out[o] = values[k] for the lengths[k] places o behind those of the runs before
//   repeat              the same from offsets: out[o] = values[k] where offsets[k] <= o < offsets[k + 1], and offsets[0] is 0
//
// values    array of `runs` elements
// lengths   array of `runs` integers; those below 0 count as 0. offsets: array of runs + 1 integers that do not fall. If some
// do,
//           elements are any of the values, or not written
// runs      their number, up to 2^40, or count_at (count.h)
// out       array with room for all elements. A buffer that has less room gets those that it has room for; it must not overlap
//           the inputs
// total     may stand behind `out`: array of one integer, which becomes the number of elements
// options   wait_for, signal
//
// The host need not know the number of elements. Runs may be of any lengths, mixed in any order. Decoding takes eight bytes of
// memory for each run. Errors: error.h.
#pragma once

#include <upsweep/opencl/detail/scan_job.h>
#include <upsweep/opencl/detail/simple_call.h>

namespace upsweep::opencl {

namespace detail {

struct Expansion {
  const array &values, &offsets, &out;
  const array *total;
  const element_count &runs;
};

// `places` are the offsets or the lengths, runs + 1 or `runs` of them.
inline cl_int check_expansion(const Call &call, const Expansion &e, std::uint64_t places) {
  const std::uint64_t runs = e.runs.most;
  return first_error(
      [&] { return require_count(call, e.runs, e.out, runs == 0 ? 0 : 1); },
      [&] { return require_array(call, e.values, runs, "the values"); },
      [&] { return require_integer(e.offsets.type, "offsets and lengths"); },
      [&] { return require_array(call, e.offsets, runs == 0 ? 0 : places, "the offsets or lengths"); },
      [&] { return require_array(call, e.out, runs == 0 ? 0 : 1, "the output"); },
      [&] { return runs == 0 ? CL_SUCCESS : require_apart(e.values, runs, e.out, 1, "values and output"); },
      [&] { return runs == 0 ? CL_SUCCESS : require_apart(e.offsets, places, e.out, 1, "offsets or lengths, and output"); },
      [&] {
        if (e.total == nullptr) return CL_SUCCESS;
        return first_error(
            [&] { return require_array(call, *e.total, 1, "the total"); },
            [&] { return require_integer(e.total->type, "the total"); },
            [&] { return require_count_apart(e.runs, *e.total, 1); },
            [&] { return runs == 0 ? CL_SUCCESS : require_apart(*e.total, 1, e.out, 1, "total and output"); },
            [&] { return runs == 0 ? CL_SUCCESS : require_apart(*e.total, 1, e.offsets, places, "total and offsets"); });
      });
}

inline cl_int expand(Call &call, const Expansion &e) {
  if (e.runs.most == 0 && e.total == nullptr) return CL_SUCCESS;
  const Shape shape = simple_shape(call, 256, 16, true);
  Source source;
  source.define_type("UPS_IN", e.values.type);
  source.define_type("UPS_OUT", e.out.type);
  source.define_type("UPS_OFFSET", e.offsets.type);
  source.define_type("UPS_NUMBER", e.total != nullptr ? e.total->type : type_of<std::uint64_t>::value());
  source.define("UPS_HAS_TOTAL", e.total != nullptr ? 1 : 0);
  source.define_conversion("UPS_TO_OUT", e.values.type, e.out.type);
  define_count(source, e.runs);
  define_shape(source, shape, call.how());
  source.add_kernels(kernels::expand);
  const std::uint64_t room = e.runs.most == 0 ? 0 : room_of(e.out);
  std::shared_ptr<Program> program;
  Arguments arguments;
  e.runs.most == 0 ? arguments.none().none().none() : arguments.add(e.values).add(e.offsets).add(e.out);
  e.total != nullptr ? arguments.add(*e.total) : arguments.none();
  arguments.add(e.runs).number(cl_ulong(room));
  const std::uint64_t tiles = room == UINT64_MAX ? room : room / shape.tile() + 1;
  return first_error(
      [&] { return call.program(source, &program); },
      [&] { return call.launch(*program, "ups_expand", arguments, groups_at_work(call.device(), tiles), shape.group); });
}

inline cl_int decode(Call &call, const Expansion &e) {
  const element_type type = type_of<std::uint64_t>::value();
  cl_mem memory = nullptr;
  const auto scan = [&] {
    const operation add = plus{};
    const array ends(type, memory, 1);
    Options options;
    if (e.offsets.type.is_signed_integer()) {  // a length below 0 is none
      options.input =
          function("upsweep_length", "ulong upsweep_length(" + e.offsets.type.name + " x) { return x < 0 ? 0 : (ulong)x; }");
    }
    Job job = scan_job({e.offsets, ends, e.runs, add, type, nullptr, false}, options);
    return run_pass(call, job, e.runs);
  };
  return first_error([&] { return call.scratch((e.runs.most + 1) * 8, &memory); },
                     [&] { return call.fill_zeros(memory, 0, 8); }, scan,
                     [&] {
                       const array offsets(type, memory);
                       return expand(call, {e.values, offsets, e.out, e.total, e.runs});
                     });
}

template <class... Given>
cl_int run_expansion(queue queue, const Expansion &e, bool decodes, const Given &...options) {
  const auto all = options_of<>(options...);
  return run_call(queue, all, [&](Call &call) {
    return first_error([&] { return check_expansion(call, e, e.runs.most + (decodes ? 0 : 1)); },
                       [&] { return decodes ? decode(call, e) : expand(call, e); });
  });
}

}  // namespace detail

template <class... Given>
cl_int repeat(const array &values, const array &offsets, const element_count &runs, const array &out, const array &total,
              queue queue, const Given &...options) {
  return detail::run_expansion(queue, {values, offsets, out, &total, runs}, false, options...);
}
template <class... Given>
cl_int repeat(const array &values, const array &offsets, const element_count &runs, const array &out, queue queue,
              const Given &...options) {
  return detail::run_expansion(queue, {values, offsets, out, nullptr, runs}, false, options...);
}

template <class... Given>
cl_int run_length_decode(const array &values, const array &lengths, const element_count &runs, const array &out,
                         const array &total, queue queue, const Given &...options) {
  return detail::run_expansion(queue, {values, lengths, out, &total, runs}, true, options...);
}
template <class... Given>
cl_int run_length_decode(const array &values, const array &lengths, const element_count &runs, const array &out, queue queue,
                         const Given &...options) {
  return detail::run_expansion(queue, {values, lengths, out, nullptr, runs}, true, options...);
}

}  // namespace upsweep::opencl
