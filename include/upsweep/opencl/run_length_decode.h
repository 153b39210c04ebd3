// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elements of runs on a command queue, from their values and lengths.
//
//   run_length_decode   out[o] = values[k] for lengths[k] places o, behind the places of earlier runs
//   repeat              the same from offsets: out[o] = values[k] where offsets[k] <= o < offsets[k + 1], and offsets[0] is 0
//
// `values`   array of `runs` elements.
// `lengths`  array of `runs` integers; negative ones count as 0. offsets: array of runs + 1 non-decreasing integers. If some
//            decrease, elements are arbitrary values or not written.
// `runs`     their number, up to 2^40, or count_at (count.h).
// `out`      array with room for all elements; it must not overlap the inputs. A smaller buffer gets the elements that fit.
// `total`    optional, behind `out`: array of one integer, which becomes the number of elements.
// `options`  wait_for, signal.
//
// The host need not know the number of elements. Runs may have any lengths, in any order. Decoding takes eight bytes of memory
// for each run. Errors: error.h.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/opencl/detail/call_arrays.h>
#include <upsweep/opencl/detail/scan_job.h>
#include <upsweep/opencl/detail/simple_call.h>

namespace upsweep::opencl {

namespace detail {

struct Expansion {
  const array &values, &offsets, &out;
  const array *total;
  const element_count &runs;
};

// `places` has runs + 1 offsets or `runs` lengths.
inline cl_int check_expansion(const Call &call, const Expansion &e, std::uint64_t places) {
  const std::uint64_t runs = e.runs.most;
  // The number of the output's elements is unknown here.
  const std::uint64_t some = runs == 0 ? 0 : 1;
  return first_error(
      [&] { return require_number(e.runs); }, [&] { return require_integer(e.offsets.type, "offsets and lengths"); },
      [&] { return e.total != nullptr ? require_integer(e.total->type, "the total") : CL_SUCCESS; },
      [&] {
        return require_arrays(call,
                              {reads("the values", e.values, runs), reads("the offsets or lengths", e.offsets, some * places),
                               writes("the output", e.out, some), writes("the total", e.total, 1), reads_number(e.runs)});
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
    if (e.offsets.type.is_signed_integer()) {  // a negative length counts as 0
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
#endif
