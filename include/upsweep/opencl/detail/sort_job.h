// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes of a radix sort (kernels/sort.cl).
#pragma once

#include <upsweep/opencl/detail/compact_job.h>
#include <upsweep/opencl/detail/key_order.h>
#include <upsweep/opencl/detail/scan_job.h>

namespace upsweep::opencl::detail {

enum class SortValues { kNone, kPairs, kIndices };

struct SortCall {
  const array &keys_in, &keys_out;
  const array &values_in, &values_out;
  element_count n;
  SortValues values;
};

// Values have one type, or indices a type that holds n.
inline cl_int check_value_types(const array &in, const array &out, std::uint64_t n, SortValues values) {
  if (values == SortValues::kPairs && out.type != in.type) {
    return fail(CL_INVALID_VALUE, "upsweep: values in and out have one type");
  }
  const bool is_index = out.type.is_integer() && (out.type.bytes == 8 || (out.type.bytes == 4 && n <= UINT32_MAX));
  return values == SortValues::kIndices && !is_index
             ? fail(CL_INVALID_VALUE, "upsweep: indices are integers of 32 or 64 bits that hold n")
             : CL_SUCCESS;
}

inline cl_int check_sort(const Call &call, const SortCall &s) {
  const std::uint64_t n = s.n.most;
  const auto apart = [&](const array &a, const array &b) { return require_apart(a, n, b, n, "keys and values"); };
  return first_error(
      [&] { return check_key(s.keys_in.type, call.options()); },
      [&] {
        return s.keys_in.type == s.keys_out.type ? CL_SUCCESS
                                                 : fail(CL_INVALID_VALUE, "upsweep: keys in and out have one type");
      },
      [&] { return require_count(call, s.n, s.keys_out, n); },
      [&] { return require_array(call, s.keys_in, n, "the input of keys"); },
      [&] { return require_array(call, s.keys_out, n, "the output of keys"); },
      [&] { return require_same_or_apart(s.keys_in, s.keys_out, n, "keys in and out"); },
      [&] {
        if (s.values == SortValues::kNone) return CL_SUCCESS;
        return first_error([&] { return check_value_types(s.values_in, s.values_out, n, s.values); },
                           [&] { return require_array(call, s.values_in, n, "the input of values"); },
                           [&] { return require_array(call, s.values_out, n, "the output of values"); },
                           [&] { return require_count_apart(s.n, s.values_out, n); },
                           [&] { return require_same_or_apart(s.values_in, s.values_out, n, "values in and out"); },
                           [&] { return apart(s.keys_in, s.values_in); }, [&] { return apart(s.keys_in, s.values_out); },
                           [&] { return apart(s.keys_out, s.values_in); }, [&] { return apart(s.keys_out, s.values_out); });
      });
}

class RadixSort {
public:
  RadixSort(Call &call, const SortCall &sort, const Options &options)
      : call_(call), sort_(sort), options_(options), n_(sort.n.most), key_(bits_type(sort.keys_in.type)) {
    const Device &device = call.device();
    const plan &how = call.how();
    is_serial_ = how.group != 0 ? how.group == 1 : device.is_cpu;
    radix_bits_ = is_serial_ ? 8 : 4;
    if (is_serial_) {
      // Long runs of a digit have few lines that are written in parts.
      const std::uint64_t items = std::clamp<std::uint64_t>(n_ / (std::uint64_t(8) * device.units), 16384, 131072);
      shape_.items = how.items != 0 ? how.items : static_cast<unsigned>(items);
    } else {
      const std::size_t most = std::min<std::size_t>({how.group != 0 ? how.group : 256U, device.max_group, 32768U});
      while (shape_.group * 2 <= most) shape_.group *= 2;
      // 16 KiB of keys in local memory.
      const std::size_t items = std::max<std::size_t>(1, 64 / std::max<std::size_t>(8, key_.bytes));
      shape_.items = how.items != 0 ? how.items : static_cast<unsigned>(items);
    }
    // The ranks of a tile are ushorts.
    shape_.items = std::max(1U, std::min(shape_.items, is_serial_ ? 1U << 20 : 65535 / shape_.group));
    tiles_ = (n_ + shape_.tile() - 1) / shape_.tile();
    find_digits();
  }

  cl_int run() {
    cl_mem spare_keys = nullptr, spare_values = nullptr;
    array keys, values = sort_.values_in;
    const bool has_pairs = sort_.values == SortValues::kPairs, has_values = sort_.values != SortValues::kNone;
    const std::size_t counts_bytes = (tiles_ << radix_bits_) * count_type(n_).bytes, passes = digits_.size();
    cl_int code = first_error(
        [&] { return copy_if_odd(sort_.keys_in, sort_.keys_out, &keys); },
        [&] { return has_pairs ? copy_if_odd(sort_.values_in, sort_.values_out, &values) : CL_SUCCESS; },
        [&] { return passes > 1 ? call_.scratch(n_ * key_.bytes, &spare_keys) : CL_SUCCESS; },
        [&] { return passes > 1 && has_values ? call_.scratch(n_ * sort_.values_out.type.bytes, &spare_values) : CL_SUCCESS; },
        [&] { return call_.scratch(counts_bytes, &counts_); });
    for (std::size_t pass = 0; pass < passes && code == CL_SUCCESS; ++pass) {
      const bool to_out = (passes - 1 - pass) % 2 == 0;
      const array keys_to = to_out ? sort_.keys_out : array(sort_.keys_in.type, spare_keys);
      const array values_to = to_out || !has_values ? sort_.values_out : array(sort_.values_out.type, spare_values);
      code = run_pass_of_digit(pass, keys, keys_to, values, values_to);
      keys = keys_to;
      values = values_to;
    }
    return code;
  }

private:
  // A digit: bits of a part of the key.
  struct Digit {
    KeyPart part;
    cl_uint shift, mask;
  };

  // From the least digit to the most; at least one, which may have no bits: its pass copies.
  void find_digits() {
    std::vector<KeyPart> parts = parts_of_key(sort_.keys_in.type, options_);
    const key_bits wanted = options_.bits.value_or(key_bits{0, UINT32_MAX});
    unsigned first = 0;  // bit of the key
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
      const unsigned bits = static_cast<unsigned>(8 * part->type.bytes);
      const unsigned end = std::min(bits, std::max(wanted.end, first) - first);
      for (unsigned shift = std::max(wanted.begin, first) - first; shift < end; shift += radix_bits_) {
        digits_.push_back({*part, shift, (1U << std::min(radix_bits_, end - shift)) - 1});
      }
      first += bits;
    }
    if (digits_.empty()) digits_.push_back({parts[0], 0, 0});
  }

  // Whether lines of 64 bytes hold whole elements.
  static bool has_lines(std::size_t bytes) { return 64 % bytes == 0; }

  // The first of an odd number of passes writes to the output.
  cl_int copy_if_odd(const array &in, const array &out, array *source) {
    *source = in;
    return digits_.size() % 2 == 1 ? copy_if_same(call_, in, out, n_, source) : CL_SUCCESS;
  }

  Source source_of(std::size_t pass) const {
    const SortValues values = sort_.values == SortValues::kIndices && pass > 0 ? SortValues::kPairs : sort_.values;
    Source source;
    define_key_order(source, sort_.keys_in.type, {digits_[pass].part}, options_.is_descending);
    source.define("UPS_RADIX_BITS", radix_bits_);
    source.define("UPS_VALUES", static_cast<std::uint64_t>(values));
    source.define_type("UPS_IN", values == SortValues::kNone ? key_ : sort_.values_out.type);
    source.define_type("UPS_T", count_type(n_));
    source.define_operator(plus{});
    source.define("UPS_NATIVE", "add");
    define_count(source, sort_.n);
    define_shape(source, shape_, call_.how());
    if (is_serial_ && has_lines(key_.bytes) && (values == SortValues::kNone || has_lines(sort_.values_out.type.bytes))) {
      define_streamed(source, n_ * key_.bytes);
    }
    for (const char *file : {kernels::operators, kernels::plain_state, kernels::work_group, kernels::keys,
                             is_serial_ ? kernels::sort_serial : kernels::sort})
      source.add_kernels(file);
    return source;
  }

  cl_int run_pass_of_digit(std::size_t pass, const array &keys, const array &keys_to, const array &values,
                           const array &values_to) {
    const auto &[part, shift, mask] = digits_[pass];
    std::shared_ptr<Program> program;
    Arguments count, move;
    count.add(keys).add(sort_.n).number(cl_ulong(tiles_)).number(shift).number(mask).memory(counts_);
    move.add(keys).add(keys_to);
    const bool has_values = sort_.values != SortValues::kNone;
    has_values ? move.add(values) : move.none();
    has_values ? move.add(values_to) : move.none();
    move.add(sort_.n).number(cl_ulong(tiles_)).number(shift).number(mask).memory(counts_);
    return first_error([&] { return call_.program(source_of(pass), &program); },
                       [&] { return call_.launch(*program, "ups_count_digits", count, tiles_, shape_.group); },
                       [&] { return scan_counts(); },
                       [&] { return call_.launch(*program, "ups_move_keys", move, tiles_, shape_.group); });
  }

  cl_int scan_counts() {
    const element_type type = count_type(n_);
    const array counts(type, counts_);
    const unsigned char zeros[value::kMaxBytes] = {};
    const initial_value zero(value(type, zeros));
    const element_count number(tiles_ << radix_bits_);
    const operation add = plus{};
    Job job = scan_job({counts, counts, number, add, type, &zero, true}, Options());
    return run_pass(call_, job, number);
  }

  Call &call_;
  const SortCall &sort_;
  const Options &options_;
  std::uint64_t n_, tiles_ = 0;
  element_type key_;
  Shape shape_;
  bool is_serial_ = false;  // a tile is a work-item's
  unsigned radix_bits_ = 4;
  std::vector<Digit> digits_;
  cl_mem counts_ = nullptr;
};

inline cl_int run_sort(const queue &queue, const SortCall &sort, const Options &options) {
  return guarded([&] {
    Call call;
    return first_error([&] { return call.begin(queue, options); }, [&] { return check_sort(call, sort); },
                       [&] { return sort.n.most == 0 ? CL_SUCCESS : RadixSort(call, sort, options).run(); },
                       [&] { return call.end(); });
  });
}

}  // namespace upsweep::opencl::detail
