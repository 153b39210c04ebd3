// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Radix sorts: by one work-group, in one sweep for each digit, or by a count, a scan and a move for each.
#pragma once

#include <upsweep/opencl/detail/call_arrays.h>
#include <upsweep/opencl/detail/scan_job.h>
#include <upsweep/opencl/detail/sort_tile.h>
#include <upsweep/opencl/detail/vectors.h>

namespace upsweep::opencl::detail {

struct SortCall {
  const array &keys_in, &keys_out;
  const array &values_in, &values_out;
  element_count n;
  SortValues values;
};

// Values have one type, or are indices of a type that holds n.
inline cl_int check_value_types(const array &in, const array &out, std::uint64_t n, SortValues values) {
  if (values == SortValues::kPairs && out.type != in.type) {
    return fail(CL_INVALID_VALUE, "upsweep: values in and out must have the same type");
  }
  const bool is_index = out.type.is_integer() && (out.type.bytes == 8 || (out.type.bytes == 4 && n <= UINT32_MAX));
  return values == SortValues::kIndices && !is_index
             ? fail(CL_INVALID_VALUE, "upsweep: indices must be integers of 32 or 64 bits that can hold n")
             : CL_SUCCESS;
}

inline cl_int check_sort(const Call &call, const SortCall &s) {
  const std::uint64_t n = s.n.most;
  const bool has_values = s.values != SortValues::kNone;
  return first_error(
      [&] { return check_key(s.keys_in.type, call.options()); },
      [&] {
        return s.keys_in.type == s.keys_out.type ? CL_SUCCESS
                                                 : fail(CL_INVALID_VALUE, "upsweep: keys in and out must have the same type");
      },
      [&] { return require_number(s.n); },
      [&] { return has_values ? check_value_types(s.values_in, s.values_out, n, s.values) : CL_SUCCESS; },
      [&] {
        return require_arrays(
            call, {reads("the input of keys", s.keys_in, n, kTogether), writes("the output of keys", s.keys_out, n, kTogether),
                   reads("the input of values", if_given(has_values, s.values_in), n, kValuesTogether),
                   writes("the output of values", if_given(has_values, s.values_out), n, kValuesTogether), reads_number(s.n)});
      });
}

class RadixSort {
public:
  RadixSort(Call &call, const SortCall &sort, const Options &options)
      : call_(call), sort_(sort), options_(options), n_(sort.n.most), key_(bits_type(sort.keys_in.type)),
        digits_(sort_digits(sort.keys_in.type, options)) {
    const plan &how = call.how();
    is_serial_ = how.group != 0 ? how.group == 1 : call.device().is_cpu;
    if (is_serial_) {
      // Long runs of a digit have few lines that are written partially.
      const std::uint64_t items = std::clamp<std::uint64_t>(n_ / (std::uint64_t(8) * call.device().units), 16384, 131072);
      tile_.items = how.items != 0 ? std::min(how.items, 1U << 20) : static_cast<unsigned>(items);
    } else {
      const std::size_t bytes = key_.bytes + (is_direct() ? 0 : value_bytes());
      tile_ = sort_tile_for(call, bytes, place_type().bytes, most_items(bytes));
    }
    tiles_ = (n_ + tile_.keys() - 1) / tile_.keys();
    is_sweep_ = !is_serial_ && how.launches != 3 && call.device().has_one_launch() && tiles_ <= UINT32_MAX;
  }

  cl_int run() {
    const plan &how = call_.how();
    if (how.launches != 0 && how.launches != 1 && how.launches != 3)
      return fail(CL_INVALID_VALUE, "upsweep: plan::launches must be 0, 1 or 3");
    if (how.launches == 1 && !call_.device().has_one_launch()) {
      return fail(CL_INVALID_OPERATION,
                  "upsweep: the device does not support the call in one launch; set plan::launches to 0 or 3");
    }
    if (!is_serial_ && how.launches != 3 && key_.bytes <= 16 && value_bytes() <= 16) {
      SortTile tile = sort_tile_for(call_, key_.bytes + (has_values() ? sizeof(cl_ushort) : 0), 0, 16);
      if (n_ <= tile.keys()) return sort_few(tile);
    }
    return run_passes();
  }

private:
  bool has_values() const { return sort_.values != SortValues::kNone; }
  std::size_t value_bytes() const { return has_values() ? sort_.values_out.type.bytes : 0; }
  bool is_direct() const { return value_bytes() > 8; }
  element_type place_type() const { return count_type(n_); }

  // Elements of a work-item. Measured on an H100: with these numbers, two tiles of 512 work-items fit a multiprocessor's
  // registers. Tiles are smaller if there would be fewer tiles than compute units.
  std::size_t most_items(std::size_t bytes) const {
    const std::size_t most = bytes <= 4 ? 20 : std::max<std::size_t>(1, 96 / bytes);
    return n_ / 512 / most >= call_.device().units ? most : std::max<std::size_t>(1, most / 4);
  }

  cl_int run_passes() {
    cl_mem spare_keys = nullptr, spare_values = nullptr;
    array keys, values = sort_.values_in;
    const bool has_pairs = sort_.values == SortValues::kPairs;
    const std::size_t passes = digits_.size();
    cl_int code = first_error(
        [&] { return copy_if_odd(sort_.keys_in, sort_.keys_out, &keys); },
        [&] { return has_pairs ? copy_if_odd(sort_.values_in, sort_.values_out, &values) : CL_SUCCESS; },
        [&] { return passes > 1 ? call_.scratch(n_ * key_.bytes, &spare_keys) : CL_SUCCESS; },
        [&] { return passes > 1 && has_values() ? call_.scratch(n_ * value_bytes(), &spare_values) : CL_SUCCESS; },
        [&] { return is_sweep_ ? begin_sweep(keys) : call_.scratch(tiles_ * kRadix * place_type().bytes, &counts_); });
    for (std::size_t pass = 0; pass < passes && code == CL_SUCCESS; ++pass) {
      const bool to_out = (passes - 1 - pass) % 2 == 0;
      const array keys_to = to_out ? sort_.keys_out : array(sort_.keys_in.type, spare_keys);
      const array values_to = to_out || !has_values() ? sort_.values_out : array(sort_.values_out.type, spare_values);
      code = run_pass_of_digit(pass, keys, keys_to, values, values_to);
      keys = keys_to;
      values = values_to;
    }
    return code;
  }

  // With an odd number of passes, the first writes to the output.
  cl_int copy_if_odd(const array &in, const array &out, array *source) {
    *source = in;
    return digits_.size() % 2 == 1 ? copy_if_same(call_, in, out, n_, source) : CL_SUCCESS;
  }

  // The source of kernels whose parameters are keys with these parts, and values.
  Source source_of(const std::vector<KeyPart> &parts, SortValues values) const {
    Source source;
    define_key_order(source, sort_.keys_in.type, parts, options_.is_descending);
    source.define("UPS_RADIX_BITS", kRadixBits);
    source.define("UPS_RADIX", kRadix);
    source.define("UPS_VALUES", static_cast<std::uint64_t>(values));
    source.define_type("UPS_IN", values == SortValues::kNone ? key_ : sort_.values_out.type);
    source.define_type("UPS_PLACE", place_type());
    define_count(source, sort_.n);
    source.add_kernels(kernels::keys);
    return source;
  }

  Source source_of_counts(std::size_t digit, std::size_t digits) const {
    Source source = source_of({digits_[digit].part}, SortValues::kNone);
    source.define("UPS_GROUP", tile_.group);
    source.define("UPS_ITEMS", tile_.items);
    source.define("UPS_SWEEP", is_sweep_ ? 1 : 0);
    source.define("UPS_DIGITS", digits);
    source.add_kernels(kernels::sort_digit);
    source.add_kernels(kernels::sort_count);
    return source;
  }

  Source source_of_pass(std::size_t pass) const {
    const SortValues values = sort_.values == SortValues::kIndices && pass > 0 ? SortValues::kPairs : sort_.values;
    Source source = source_of({digits_[pass].part}, values);
    define_sort_tile(source, tile_);
    source.add_kernels(kernels::sort_digit);
    if (is_serial_) {
      if (has_lines(key_.bytes) && (values == SortValues::kNone || has_lines(value_bytes()))) {
        define_streamed(source, n_ * key_.bytes);
      }
      source.add_kernels(kernels::sort_serial);
      return source;
    }
    source.define("UPS_SWEEP", is_sweep_ ? 1 : 0);
    source.define("UPS_DIRECT", is_direct() ? 1 : 0);
    source.add_kernels(kernels::sort_rank);
    if (is_sweep_) add_look_back(source);
    source.add_kernels(kernels::sort_pass);
    return source;
  }

  // Whether lines of 64 bytes hold whole elements.
  static bool has_lines(std::size_t bytes) { return 64 % bytes == 0; }

  static void add_look_back(Source &source) {
    source.define_type("UPS_T", type_of<std::uint32_t>::value());
    source.define_operator(plus{});
    source.define("UPS_FUNCTIONS", std::uint64_t(0));
    for (const char *file :
         {kernels::operators, kernels::plain_state, kernels::work_group, kernels::look_back, kernels::sort_rows})
      source.add_kernels(file);
  }

  // All digits of keys that fit in one tile.
  cl_int sort_few(SortTile &tile) {
    const key_bits wanted = options_.bits.value_or(key_bits{0, UINT32_MAX});
    const auto make = [&] {
      Source source = source_of(parts_of_key(sort_.keys_in.type, options_), sort_.values);
      define_sort_tile(source, tile);
      source.add_kernels(kernels::sort_rank);
      source.add_kernels(kernels::sort_few);
      return source;
    };
    std::shared_ptr<Program> program;
    Arguments arguments;
    arguments.add(sort_.keys_in).add(sort_.keys_out);
    sort_.values == SortValues::kPairs ? arguments.add(sort_.values_in) : arguments.none();
    has_values() ? arguments.add(sort_.values_out) : arguments.none();
    arguments.add(sort_.n).number(cl_uint(wanted.begin)).number(cl_uint(wanted.end));
    return first_error([&] { return sort_program(call_, tile, "ups_sort_few", make, &program); },
                       [&] { return call_.launch(*program, "ups_sort_few", arguments, 1, tile.group); });
  }

  // 64-bit words in the memory of sweeps: the counts of all digits, tickets, and two areas for the counts that work-groups of
  // a pass exchange (kernels/sort_rows.cl). A pass clears the area of the next one.
  std::uint64_t ticket_at() const { return digits_.size() * kRadix; }
  std::uint64_t row_words() const { return kRadix * (tiles_ / 256 + 1) + kRadix / 2 * (tiles_ / 16 + 1 + tiles_); }
  std::uint64_t rows_at(std::size_t pass) const {
    return ticket_at() + (digits_.size() + 1) / 2 * 2 + (pass % 2) * row_words();
  }

  // Counts the digits of all passes, in one launch for each part of the key.
  cl_int begin_sweep(const array &keys) {
    constexpr unsigned kLoads = 8, kWorkItems = 2048;  // loads of a work-item together; work-items of a compute unit
    cl_int code = first_error([&] { return call_.scratch((rows_at(1) + row_words()) * sizeof(cl_ulong), &counts_); },
                              [&] { return call_.fill_zeros(counts_, 0, rows_at(1) * sizeof(cl_ulong)); });
    const std::uint64_t tile = kLoads * tile_.group, most = call_.device().units * std::max(1U, kWorkItems / tile_.group);
    const std::uint64_t groups = std::min((n_ + tile - 1) / tile, most);
    for (std::size_t first = 0, end = 0; first < digits_.size() && code == CL_SUCCESS; first = end) {
      while (end < digits_.size() && digits_[end].part_number == digits_[first].part_number) ++end;
      std::shared_ptr<Program> program;
      Arguments count;
      count.add(keys).add(sort_.n).number(digits_[first].shift).number(digits_[end - 1].mask);
      count.memory(counts_).number(cl_ulong(first * kRadix));
      code = first_error([&] { return call_.program(source_of_counts(first, end - first), &program); },
                         [&] { return call_.launch(*program, "ups_count_all", count, groups, tile_.group); });
    }
    return code;
  }

  cl_int run_pass_of_digit(std::size_t pass, const array &keys, const array &keys_to, const array &values,
                           const array &values_to) {
    const SortDigit &digit = digits_[pass];
    const auto make = [&] { return source_of_pass(pass); };
    std::shared_ptr<Program> program;
    Arguments move;
    move.add(keys).add(keys_to);
    has_values() ? move.add(values) : move.none();
    has_values() ? move.add(values_to) : move.none();
    move.add(sort_.n).number(cl_ulong(tiles_)).number(digit.shift).number(digit.mask).memory(counts_);
    if (is_sweep_) {
      const std::uint64_t next = pass + 1 < digits_.size() ? rows_at(pass + 1) : 0;
      for (const std::uint64_t at : {std::uint64_t(pass * kRadix), ticket_at() + pass, rows_at(pass), next})
        move.number(cl_ulong(at));
    }
    const char *kernel = is_serial_ ? "ups_move_keys" : "ups_sort_pass";
    return first_error(
        [&] { return is_sweep_ ? CL_SUCCESS : count_and_scan(pass, keys); },
        [&] { return is_serial_ ? call_.program(make(), &program) : sort_program(call_, tile_, kernel, make, &program); },
        [&] { return call_.launch(*program, kernel, move, tiles_, tile_.group); });
  }

  cl_int count_and_scan(std::size_t pass, const array &keys) {
    const SortDigit &digit = digits_[pass];
    std::shared_ptr<Program> program;
    Arguments count;
    count.add(keys).add(sort_.n).number(cl_ulong(tiles_)).number(digit.shift).number(digit.mask).memory(counts_);
    return first_error([&] { return call_.program(is_serial_ ? source_of_pass(pass) : source_of_counts(pass, 1), &program); },
                       [&] { return call_.launch(*program, "ups_count_digits", count, tiles_, tile_.group); },
                       [&] { return scan_counts(); });
  }

  cl_int scan_counts() {
    const element_type type = place_type();
    const array counts(type, counts_);
    const unsigned char zeros[value::kMaxBytes] = {};
    const initial_value zero(value(type, zeros));
    const element_count number(tiles_ * kRadix);
    const operation add = plus{};
    Job job = scan_job({counts, counts, number, add, type, &zero, true}, Options());
    return run_pass(call_, job, number);
  }

  Call &call_;
  const SortCall &sort_;
  const Options &options_;
  std::uint64_t n_, tiles_ = 0;
  element_type key_;
  std::vector<SortDigit> digits_;
  bool is_serial_ = false, is_sweep_ = false;
  SortTile tile_;
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
