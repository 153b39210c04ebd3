// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random calls, each compared with the result of a plain loop.
#include "check.h"
#include "plain_loops.h"

#include <upsweep/opencl/gather.h>
#include <upsweep/opencl/histogram.h>
#include <upsweep/opencl/merge.h>
#include <upsweep/opencl/reduce.h>
#include <upsweep/opencl/reduce_by_key.h>
#include <upsweep/opencl/scan.h>
#include <upsweep/opencl/segmented_reduce.h>
#include <upsweep/opencl/segmented_sort.h>
#include <upsweep/opencl/segments.h>
#include <upsweep/opencl/select.h>
#include <upsweep/opencl/sort.h>
#include <upsweep/opencl/top_k.h>

#include <tuple>

namespace upsweep::opencl::test {

class OpenclRandomCalls : public OpenclLibrary {
protected:
  // Segments begin at other places than runs of keys; some are empty.
  static std::vector<std::uint32_t> offsets_of(const std::vector<std::uint8_t> &keys, std::mt19937_64 &random) {
    std::vector<std::uint32_t> offsets{0};
    for (std::size_t i = 1; i < keys.size(); ++i) {
      for (std::uint64_t ends = keys[i] != keys[i - 1] ? 1 + random() % 2 : 0; ends > 0; --ends) {
        offsets.push_back(static_cast<std::uint32_t>(i));
      }
    }
    return offsets;
  }

  // Reductions of segments, rows and axes, and sums of weights.
  template <class T>
  void reduce_parts(std::size_t kind, const std::vector<T> &in, const std::vector<std::uint8_t> &keys, std::mt19937_64 &random,
                    const plan &how) {
    const std::size_t n = in.size(), length = 1 + random() % 40, rows = n / length, inner = 1 + random() % 9;
    Guarded<T> source(in, random() % 9);
    const std::vector<std::uint32_t> offsets = offsets_of(keys, random);
    const std::size_t segments = offsets.size() - 1;
    const axis of{n / (length * inner), length, inner};
    const std::size_t count = kind == 8 ? segments : kind == 9 ? rows : kind == 10 ? of.batches * inner : 256;
    std::vector<T> wanted(count);
    Guarded<T> out(count, random() % 9);
    const T three(3);
    if (kind == 8) {
      Guarded<std::uint32_t> ends(offsets);
      for (std::size_t s = 0; s < segments; ++s) wanted[s] = plain::fold(in, offsets[s], offsets[s + 1], three, plain::add<T>);
      EXPECT_CL(reduce_of_segments(source.view(), out.view(), ends.view(), segments, plus{}, three, queue_, how));
    } else if (kind == 9) {
      for (std::size_t row = 0; row < rows; ++row)
        wanted[row] = std::min(three, *std::min_element(in.begin() + row * length, in.begin() + (row + 1) * length));
      EXPECT_CL(reduce_of_rows(source.view(), out.view(), rows, length, minimum{}, three, queue_, how));
    } else if (kind == 10) {
      wanted = plain::sum_of_axis(in, of.batches, length, inner);
      EXPECT_CL(sum_of_axis(source.view(), out.view(), of, queue_, how));
    } else if constexpr (sizeof(T) >= 4) {
      if (sizeof(T) == 8 && !known_.has_long_atomics) return;
      Guarded<std::uint8_t> samples(keys, 3);
      wanted = plain::weighted_counts(keys, in);
      EXPECT_CL(histogram_even(samples.view(), out.view(), n, 256, 0, 256, queue_, weights(source.view()), how));
    } else {
      return;
    }
    ASSERT_EQ(out.read(), wanted);
    ASSERT_EQ(source.read(), in);
  }

  // Sorts of segments and rows and the first elements of a sort, also with numbers of elements on the device.
  template <class T>
  void sort_parts(std::size_t kind, const std::vector<T> &in, const std::vector<std::uint8_t> &keys, std::mt19937_64 &random,
                  const plan &how) {
    const std::size_t n = in.size(), length = 1 + random() % 40, rows = n / length, k = n == 0 ? 0 : 1 + random() % n;
    const std::vector<std::uint32_t> offsets = offsets_of(keys, random);
    const std::size_t segments = offsets.size() - 1;
    const std::size_t count = kind == 12   ? offsets.back()
                              : kind == 13 ? rows * length
                              : kind == 15 ? std::min<std::size_t>(k, 1)
                                           : k;
    Guarded<T> source(in, random() % 9), out(n, random() % 9);
    Guarded<std::uint8_t> values(keys, random() % 9), values_out(n);
    Guarded<std::uint32_t> indices(n, random() % 9);
    std::vector<T> wanted(n);
    std::vector<std::uint8_t> wanted_values(n);
    std::vector<std::uint32_t> wanted_indices(n);
    const auto take = [&](const std::vector<std::uint32_t> &order, std::size_t from) {
      for (std::size_t i = 0; i < order.size(); ++i) {
        wanted[from + i] = in[from + order[i]];
        wanted_indices[from + i] = order[i];
        wanted_values[from + i] = keys[from + order[i]];
      }
    };
    switch (kind) {
    case 12: {
      Guarded<std::uint32_t> ends(offsets);
      for (std::size_t s = 0; s < segments; ++s) take(plain::order_of(in, offsets[s], offsets[s + 1]), offsets[s]);
      EXPECT_CL(arg_sort_of_segments(source.view(), out.view(), indices.view(), n, ends.view(), segments, queue_, how));
      break;
    }
    case 13:
      for (std::size_t row = 0; row < rows; ++row)
        take(plain::order_of(in, row * length, (row + 1) * length, std::greater<T>()), row * length);
      EXPECT_CL(sort_pairs_of_rows(source.view(), out.view(), values.view(), values_out.view(), rows, length, queue_,
                                   descending, how));
      wanted_values.resize(count);
      ASSERT_EQ(values_out.read(count), wanted_values);
      break;
    case 14:
      take(plain::order_of(in, 0, n, std::greater<T>()), 0);
      EXPECT_CL(arg_top_k(source.view(), out.view(), indices.view(), n, k, queue_, descending, how));
      break;
    case 15:
      if (n == 0) return;
      take({plain::order_of(in, 0, n)[k - 1]}, 0);
      EXPECT_CL(arg_nth_element(source.view(), out.view(), indices.view(), n, k - 1, queue_, how));
      break;
    default: {
      Guarded<std::uint64_t> number(std::vector<std::uint64_t>{k}, 1);
      take(plain::order_of(in, 0, k), 0);
      EXPECT_CL(arg_sort(source.view(), out.view(), indices.view(), count_at(number.view(), n), queue_, how));
    }
    }
    wanted.resize(count);
    wanted_indices.resize(count);
    ASSERT_EQ(out.read(count), wanted);
    if (kind != 13) {
      ASSERT_EQ(indices.read(count), wanted_indices);
    }
    ASSERT_EQ(source.read(), in);
  }

  // Elements in a random order, stored to places in the same order.
  template <class T>
  void scan_by_index(const std::vector<T> &in, std::mt19937_64 &random, const plan &how) {
    const std::size_t n = in.size();
    std::vector<std::uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    std::vector<T> wanted(n);
    Guarded<T> source(in, random() % 9), out(n, random() % 9);
    Guarded<std::uint32_t> places(order, random() % 9);
    const T three(3);
    wanted = plain::exclusive_sum_by_index(in, order, three);
    EXPECT_CL(exclusive_scan(gathered(source.view(), places.view()), scattered(out.view(), places.view()), n, plus{}, three,
                             queue_, how));
    ASSERT_EQ(out.read(), wanted);
  }

  template <class T>
  void call(std::mt19937_64 &random) {
    const std::size_t n = random() % (std::size_t(1) << random() % 19), kind = random() % 19;
    const std::vector<T> in = random_elements<T>(n, random());
    std::vector<std::uint8_t> keys(n);
    for (std::size_t i = 1; i < n; ++i) keys[i] = static_cast<std::uint8_t>(keys[i - 1] + (random() % 9 == 0));
    const auto ways = plans(known_);
    const plan how = random() % 2 == 0 ? plan{} : ways[random() % ways.size()];
    SCOPED_TRACE(testing::Message() << "call " << kind << " of " << n << " elements of " << type_of<T>::value().name << ", "
                                    << how);
    Guarded<T> source(in, random() % 9), out(n, random() % 9);
    Guarded<std::uint8_t> of_keys(keys, random() % 9), out_keys(n), total_keys(n);
    Guarded<std::uint32_t> number(1);
    std::vector<T> wanted(n);
    std::vector<std::uint8_t> wanted_keys(n);
    const T three(3);
    // The tests of these calls use all plans; here one plan suffices, since each is a dozen programs.
    const plan one_of_two = random() % 2 == 0 ? plan{} : ways.back();
    if (kind == 17) return scan_by_index(in, random, one_of_two);
    if (kind >= 12 && kind < 17) return sort_parts(kind, in, keys, random, one_of_two);
    if (kind >= 8 && kind < 12) return reduce_parts(kind, in, keys, random, how);
    switch (kind) {
    case 0:
      wanted = plain::inclusive_sum(in);
      EXPECT_CL(inclusive_sum(source.view(), out.view(), n, queue_, how));
      break;
    case 1:
      wanted = plain::backward_exclusive_maximum(in, three);
      EXPECT_CL(exclusive_scan(source.view(), out.view(), n, maximum{}, three, queue_, backward, how));
      break;
    case 2:
      wanted = plain::minimum_by_key(keys, in);
      EXPECT_CL(inclusive_scan_by_key(of_keys.view(), source.view(), out.view(), n, minimum{}, queue_, how));
      break;
    case 3:
      wanted = plain::select_by_flag(in, keys);
      EXPECT_CL(select_by_flag(source.view(), of_keys.view(), out.view(), number.view(), n, queue_, how));
      break;
    case 4:
      std::tie(wanted_keys, wanted) = plain::sum_by_key(keys, in);
      EXPECT_CL(
          reduce_by_key(of_keys.view(), source.view(), out_keys.view(), out.view(), number.view(), n, plus{}, queue_, how));
      ASSERT_EQ(out_keys.read(wanted_keys.size()), wanted_keys);
      break;
    case 5:
      wanted = plain::sorted(in, std::greater<T>());
      EXPECT_CL(sort_keys(source.view(), out.view(), n, queue_, descending, how));
      break;
    case 6:
      wanted = plain::unique(in);
      EXPECT_CL(unique(source.view(), out.view(), number.view(), n, queue_, how));
      break;
    case 18:
      wanted = plain::sorted(in);
      EXPECT_CL(merge_sort(source.view(), out.view(), n, queue_, how));
      break;
    default: {
      Guarded<T> result(1);
      EXPECT_CL(reduce(source.view(), result.view(), n, plus{}, three, queue_, how));
      ASSERT_EQ(result.read()[0], plain::fold(in, 0, n, three, plain::add<T>));
      return;
    }
    }
    if (kind == 3 || kind == 4 || kind == 6) {
      ASSERT_EQ(number.read()[0], wanted.size());
    }
    ASSERT_EQ(out.read(wanted.size()), wanted);
    ASSERT_EQ(source.read(), in);
  }
};

TEST_F(OpenclRandomCalls, GivenHundreds_WhenComparedWithPlainLoops_ThenEqual) {
  std::mt19937_64 random(test_seed());
  for (int i = 0; i < 400 && !HasFatalFailure(); ++i) {
    SCOPED_TRACE(testing::Message() << "call number " << i);
    switch (random() % 5) {
    case 0: call<std::uint8_t>(random); break;
    case 1: call<std::int16_t>(random); break;
    case 2: call<std::int32_t>(random); break;
    case 3: call<std::uint64_t>(random); break;
    default: call<float>(random);
    }
  }
}

}  // namespace upsweep::opencl::test
