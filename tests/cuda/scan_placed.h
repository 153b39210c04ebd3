// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans from and to arrays that begin any number of elements behind a vector, with the kernels that `most` elements ask for.
#pragma once

#include "scan_check.h"

namespace upsweep::test {

template <class T, class Op>
class PlacedScan {
public:
  PlacedScan(const char *name, Op op, std::size_t in_shift, std::size_t out_shift, std::size_t most)
      : name_(name), op_(op), in_shift_(in_shift), out_shift_(out_shift), most_(most), in_(most_, in_shift),
        out_(most_, out_shift), total_(1, 0), count_(1, 0) {}

  // With a number that is known on the device alone, which may be below `most`.
  template <class... Backward>
  void check_counted_there(std::size_t n, Backward... backward) {
    count_.upload({n});
    check(n, cuda::count_at(count_.data(), most_), backward...);
  }
  template <class... Backward>
  void check_counted_here(std::size_t n, Backward... backward) {
    check(n, n, backward...);
  }

private:
  template <class Count, class... Backward>
  void check(std::size_t n, Count count, Backward... backward) {
    constexpr bool kBackward = sizeof...(Backward) > 0;
    const std::vector<T> values = scan_values<T>(n);
    const T initial = scan_values<T>(1).front();
    const auto in_order = [](const std::vector<T> &results) { return kBackward ? reversed(results) : results; };
    const auto exclusive = exclusive_reference(in_order(values), op_, initial);
    if constexpr (!kBackward) {
      fill(values);
      UPSWEEP_CUDA(cuda::inclusive_scan(shared_space(), in_.data(), out_.data(), count, op_));
      expect("inclusive", out_, inclusive_reference(values, op_));
    }
    const auto scan = [&](T *to) {
      fill(values);
      UPSWEEP_CUDA(cuda::exclusive_scan(shared_space(), in_.data(), to, count, op_, initial, nullptr,
                                        cuda::total_to(total_.data()), backward...));
      expect_same("total", total_.download(), {exclusive.total});
    };
    scan(out_.data());
    expect(kBackward ? "backward" : "exclusive", out_, in_order(exclusive.results));
    if (in_shift_ == out_shift_) {
      scan(in_.data());
      expect(kBackward ? "backward in place" : "in place", in_, in_order(exclusive.results));
    }
  }

  void fill(const std::vector<T> &values) {
    in_.poison();
    out_.poison();
    in_.upload(values);
  }
  void expect(const char *kind, Placed<T> &results, std::vector<T> expected) {
    T poison;
    std::memset(&poison, kPoison, sizeof(poison));
    const std::string what = std::string(kind) + " " + name_ + " of " + std::to_string(expected.size()) + " from behind " +
                             std::to_string(in_shift_) + " to behind " + std::to_string(out_shift_);
    // What lies further behind than a tile is not worth the time of its copy.
    expected.resize(std::min(most_, expected.size() + (std::size_t(1) << 17)), poison);
    expect_same(what, results.download(expected.size()), expected);
    UPSWEEP_CHECK(results.surroundings_are_intact());
  }

  const char *name_;
  Op op_;
  std::size_t in_shift_, out_shift_, most_;
  Placed<T> in_, out_, total_;
  Placed<std::uint64_t> count_;
};

}  // namespace upsweep::test
