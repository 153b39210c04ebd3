// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merges, and sorts by them (kernels/merge.cl).
#pragma once

#include <upsweep/opencl/detail/key_order.h>
#include <upsweep/opencl/detail/simple_call.h>

namespace upsweep::opencl::detail {

// Keys, and the values that go with them, or none.
struct KeyRange {
  const array &keys;
  const array *values = nullptr;
};

// Of a sort, b is empty.
struct MergeCall {
  KeyRange a, b, out;
  element_count a_count;
  std::uint64_t b_count;
  const function &less;
  std::uint64_t count() const { return a_count.most + b_count; }
};

inline cl_int require_alike(const array &in, const array &out, const char *what) {
  return in.type == out.type ? CL_SUCCESS : fail(CL_INVALID_VALUE, std::string("upsweep: not of one type: ") + what);
}

inline cl_int require_order(const element_type &key, const function &less) {
  return less.exists() || key.is_number()
             ? CL_SUCCESS
             : fail(CL_INVALID_VALUE, "upsweep: " + key.name + " has no order without a comparison");
}

// An input of n elements, and the types and places of its keys and values beside those of the outputs. That of a sort may be
// its output.
inline cl_int check_range(const Call &call, const MergeCall &m, const KeyRange &in, std::uint64_t n, bool may_be_same) {
  const array &out = m.out.keys;
  const std::uint64_t all = m.count();
  const auto beside = [&](const array &from, const array &to, const char *what) {
    return may_be_same ? require_same_or_apart(from, to, n, what) : require_apart(from, n, to, all, what);
  };
  return first_error([&] { return require_alike(in.keys, out, "keys in and out"); },
                     [&] { return require_array(call, in.keys, n, "an input of keys"); },
                     [&] { return beside(in.keys, out, "keys in and out"); },
                     [&] {
                       if (in.values == nullptr) return CL_SUCCESS;
                       const array &values = *in.values, &values_out = *m.out.values;
                       return first_error([&] { return require_alike(values, values_out, "values in and out"); },
                                          [&] { return require_array(call, values, n, "an input of values"); },
                                          [&] { return beside(values, values_out, "values in and out"); },
                                          [&] { return require_apart(in.keys, n, values_out, all, "keys in and values out"); },
                                          [&] { return require_apart(values, n, out, all, "values in and keys out"); });
                     });
}

inline cl_int check_outputs(const Call &call, const MergeCall &m) {
  const std::uint64_t n = m.count();
  const array &keys = m.out.keys;
  return first_error([&] { return require_count(m.b_count); }, [&] { return require_count(call, m.a_count, keys, n); },
                     [&] { return require_count(n); }, [&] { return require_array(call, keys, n, "the output of keys"); },
                     [&] { return require_order(keys.type, m.less); },
                     [&] {
                       if (m.out.values == nullptr) return CL_SUCCESS;
                       return first_error([&] { return require_array(call, *m.out.values, n, "the output of values"); },
                                          [&] { return require_count_apart(m.a_count, *m.out.values, n); },
                                          [&] { return require_apart(keys, n, *m.out.values, n, "keys and values"); });
                     });
}

inline void add_range(Arguments &arguments, const KeyRange &range) {
  arguments.add(range.keys);
  range.values != nullptr ? arguments.add(*range.values) : arguments.none();
}

inline Source merge_source(const Call &call, const MergeCall &m, const Shape &shape) {
  constexpr unsigned kRunOfOne = 16;  // where a work-item sorts a tile alone
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
    return first_error([&] { return check_outputs(call, m); }, [&] { return check_range(call, m, m.a, m.a_count.most, false); },
                       [&] { return check_range(call, m, m.b, m.b_count, false); },
                       [&] { return call.program(merge_source(call, m, shape), &program); },
                       [&] {
                         if (m.count() == 0) return CL_SUCCESS;
                         Arguments arguments;
                         add_range(arguments, m.a);
                         arguments.number(cl_ulong(m.a_count.most));
                         add_range(arguments, m.b);
                         arguments.number(cl_ulong(m.b_count));
                         add_range(arguments, m.out);
                         return call.launch(*program, "ups_merge", arguments, (m.count() + shape.tile() - 1) / shape.tile(),
                                            shape.group);
                       });
  });
}

// Sorted tiles, and then a launch for each time that the runs double. The passes go from the outputs to the spare arrays and
// back, and begin so that the last one ends in the outputs.
inline cl_int sort_by_merges(Call &call, const MergeCall &m) {
  const std::uint64_t n = m.count();
  const Shape shape = simple_shape(call, 256, 8, true);
  const std::uint64_t tiles = (n + shape.tile() - 1) / shape.tile();
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
    return first_error([&] { return check_outputs(call, m); }, [&] { return check_range(call, m, m.a, m.count(), true); },
                       [&] { return m.count() == 0 ? CL_SUCCESS : sort_by_merges(call, m); });
  });
}

}  // namespace upsweep::opencl::detail
