// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merges, and sorts by merges (kernels/merge.cl).
#pragma once

#include <upsweep/opencl/detail/call_arrays.h>
#include <upsweep/opencl/detail/key_order.h>
#include <upsweep/opencl/detail/simple_call.h>

namespace upsweep::opencl::detail {

// Keys with their values, or without.
struct KeyRange {
  const array &keys;
  const array *values = nullptr;
};

// The arguments of a merge; in a sort, b is empty.
struct MergeCall {
  KeyRange a, b, out;
  element_count a_count;
  std::uint64_t b_count;
  const function &less;
  std::uint64_t count() const { return a_count.most + b_count; }
};

inline cl_int require_alike(const array &in, const array &out, const char *what) {
  return in.type == out.type ? CL_SUCCESS
                             : fail(CL_INVALID_VALUE, std::string("upsweep: ") + what + " must have the same type");
}

inline cl_int require_order(const element_type &key, const function &less) {
  return less.exists() || key.is_number() ? CL_SUCCESS
                                          : fail(CL_INVALID_VALUE, "upsweep: " + key.name + " keys need a comparison");
}

// The types, and the places of all arrays: a sort's input, which is both ranges, may be its output.
inline cl_int check_merge(const Call &call, const MergeCall &m, bool is_sort) {
  const std::uint64_t n = m.count(), a_count = m.a_count.most, b_count = m.b_count;
  const unsigned keys = is_sort ? kTogether : kApart, values = is_sort ? kValuesTogether : kApart;
  const auto check_types = [&](const KeyRange &in) {
    return first_error(
        [&] { return require_alike(in.keys, m.out.keys, "keys in and out"); },
        [&] { return in.values != nullptr ? require_alike(*in.values, *m.out.values, "values in and out") : CL_SUCCESS; });
  };
  return first_error([&] { return require_count(m.b_count); }, [&] { return require_number(m.a_count); },
                     [&] { return require_count(n); }, [&] { return require_order(m.out.keys.type, m.less); },
                     [&] { return check_types(m.a); }, [&] { return is_sort ? CL_SUCCESS : check_types(m.b); },
                     [&] {
                       return require_arrays(
                           call, {reads("the keys of the first range", m.a.keys, a_count, keys),
                                  reads("the keys of the second range", if_given(!is_sort, m.b.keys), b_count),
                                  reads("the values of the first range", m.a.values, a_count, values),
                                  reads("the values of the second range", is_sort ? nullptr : m.b.values, b_count),
                                  writes("the output of keys", m.out.keys, n, keys),
                                  writes("the output of values", m.out.values, n, values), reads_number(m.a_count)});
                     });
}

inline void add_range(Arguments &arguments, const KeyRange &range) {
  arguments.add(range.keys);
  range.values != nullptr ? arguments.add(*range.values) : arguments.none();
}

inline Source merge_source(const Call &call, const MergeCall &m, const Shape &shape) {
  constexpr unsigned kRunOfOne = 16;  // if a single work-item sorts a tile
  Source source;
  const element_type &key = m.out.keys.type;
  const bool has_nans = !m.less.exists() && key.is_floating_point();
  if (has_nans) {  // the order of sort_keys, by bits
    define_key_order(source, key, {{key, ""}}, false);
    source.add_kernels(kernels::keys);
  } else {
    source.define_type("UPS_KEY", key);
  }
  source.define("UPS_HAS_VALUES", m.out.values != nullptr ? 1 : 0);
  source.define_type("UPS_VALUE", m.out.values != nullptr ? m.out.values->type : m.out.keys.type);
  source.define("UPS_RUN", shape.group == 1 ? kRunOfOne : shape.items);
  source.define("UPS_LESS(x, y)", m.less.exists() ? m.less.name + "(x, y)"
                                  : has_nans      ? "(ups_bits_0(x) < ups_bits_0(y))"
                                                  : "((x) < (y))");
  source.add_function(m.less.text);
  define_count(source, m.a_count);
  define_shape(source, shape, call.how());
  source.add_kernels(kernels::merge);
  return source;
}

inline cl_int run_merge(const queue &queue, const MergeCall &m, const Options &options) {
  return run_call(queue, options, [&](Call &call) {
    const Shape shape = simple_shape(call, 256, 8, true);
    std::shared_ptr<Program> program;
    return first_error([&] { return check_merge(call, m, false); },
                       [&] { return call.program(merge_source(call, m, shape), &program); },
                       [&] {
                         if (m.count() == 0) return CL_SUCCESS;
                         Arguments arguments;
                         add_range(arguments, m.a);
                         arguments.number(cl_ulong(m.a_count.most));
                         add_range(arguments, m.b);
                         arguments.number(cl_ulong(m.b_count));
                         add_range(arguments, m.out);
                         return call.launch(*program, "ups_merge", arguments, shape.tiles(m.count()), shape.group);
                       });
  });
}

// Sorted tiles, then a launch for each doubling of the runs. Passes alternate between the outputs and the spare arrays, and
// start so that the last pass writes the outputs.
inline cl_int sort_by_merges(Call &call, const MergeCall &m) {
  const std::uint64_t n = m.count();
  const Shape shape = simple_shape(call, 256, 8, true);
  const std::uint64_t tiles = shape.tiles(n);
  unsigned passes = 0;
  while (tiles > std::uint64_t(1) << passes) ++passes;
  const bool has_values = m.out.values != nullptr;
  std::shared_ptr<Program> program;
  array spare_keys, spare_values;
  const auto spare = [&](const array &like, array *made) {
    cl_mem memory = nullptr;
    const cl_int code = call.scratch(n * like.type.bytes, &memory);
    *made = array(like.type, memory);
    return code;
  };
  cl_int code = first_error([&] { return call.program(merge_source(call, m, shape), &program); },
                            [&] { return spare(m.out.keys, &spare_keys); },
                            [&] { return has_values ? spare(*m.out.values, &spare_values) : CL_SUCCESS; });
  const KeyRange other{spare_keys, has_values ? &spare_values : nullptr};
  const auto at = [&](unsigned pass) -> const KeyRange & { return (passes - pass) % 2 == 0 ? m.out : other; };
  for (unsigned pass = 0; pass <= passes && code == CL_SUCCESS; ++pass) {
    Arguments arguments;
    add_range(arguments, pass == 0 ? m.a : at(pass - 1));
    add_range(arguments, at(pass));
    if (pass == 0) add_range(arguments, at(1));
    arguments.add(m.a_count);
    if (pass > 0) arguments.number(cl_ulong(shape.tile() << (pass - 1)));
    code = call.launch(*program, pass == 0 ? "ups_sort_tiles" : "ups_merge_runs", arguments, tiles, shape.group);
  }
  return code;
}

inline cl_int run_merge_sort(const queue &queue, const MergeCall &m, const Options &options) {
  return run_call(queue, options, [&](Call &call) {
    return first_error([&] { return check_merge(call, m, true); },
                       [&] { return m.count() == 0 ? CL_SUCCESS : sort_by_merges(call, m); });
  });
}

}  // namespace upsweep::opencl::detail
