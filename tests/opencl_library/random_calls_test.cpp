// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random calls, each compared with what the library for CPU threads makes of the same elements.
#include "check.h"

#include <upsweep/cpu/reduce.h>
#include <upsweep/cpu/reduce_by_key.h>
#include <upsweep/cpu/scan.h>
#include <upsweep/cpu/select.h>
#include <upsweep/cpu/sort.h>
#include <upsweep/opencl/reduce.h>
#include <upsweep/opencl/reduce_by_key.h>
#include <upsweep/opencl/scan.h>
#include <upsweep/opencl/segments.h>
#include <upsweep/opencl/select.h>
#include <upsweep/opencl/sort.h>

namespace upsweep::opencl::test {

class OpenclRandomCalls : public OpenclLibrary {
protected:
  template <class T>
  void call(std::mt19937_64 &random) {
    const std::size_t n = random() % (std::size_t(1) << random() % 19), kind = random() % 8;
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
    std::uint32_t kept = static_cast<std::uint32_t>(n);
    const T three(3);
    switch (kind) {
    case 0:
      cpu::inclusive_sum(in.data(), wanted.data(), n);
      EXPECT_CL(inclusive_sum(source.view(), out.view(), n, queue_, how));
      break;
    case 1:
      cpu::exclusive_scan(in.data(), wanted.data(), n, cpu::maximum{}, three, cpu::default_pool(), cpu::backward);
      EXPECT_CL(exclusive_scan(source.view(), out.view(), n, maximum{}, three, queue_, backward, how));
      break;
    case 2:
      cpu::inclusive_scan_by_key(keys.data(), in.data(), wanted.data(), n, cpu::minimum{}, cpu::equal_to{});
      EXPECT_CL(inclusive_scan_by_key(of_keys.view(), source.view(), out.view(), n, minimum{}, queue_, how));
      break;
    case 3:
      cpu::select_by_flag(in.data(), keys.data(), wanted.data(), &kept, n);
      EXPECT_CL(select_by_flag(source.view(), of_keys.view(), out.view(), number.view(), n, queue_, how));
      break;
    case 4:
      cpu::reduce_by_key(keys.data(), in.data(), wanted_keys.data(), wanted.data(), &kept, n, cpu::plus{});
      EXPECT_CL(
          reduce_by_key(of_keys.view(), source.view(), out_keys.view(), out.view(), number.view(), n, plus{}, queue_, how));
      wanted_keys.resize(kept);
      ASSERT_EQ(out_keys.read(kept), wanted_keys);
      break;
    case 5:
      cpu::sort_keys(in.data(), wanted.data(), n, cpu::default_pool(), cpu::descending);
      EXPECT_CL(sort_keys(source.view(), out.view(), n, queue_, descending, how));
      break;
    case 6:
      cpu::unique(in.data(), wanted.data(), &kept, n);
      EXPECT_CL(unique(source.view(), out.view(), number.view(), n, queue_, how));
      break;
    default: {
      T total{};
      Guarded<T> result(1);
      cpu::reduce(in.data(), &total, n, cpu::plus{}, three);
      EXPECT_CL(reduce(source.view(), result.view(), n, plus{}, three, queue_, how));
      ASSERT_EQ(result.read()[0], total);
      return;
    }
    }
    wanted.resize(kept);
    if (kind == 3 || kind == 4 || kind == 6) {
      ASSERT_EQ(number.read()[0], kept);
    }
    ASSERT_EQ(out.read(kept), wanted);
    ASSERT_EQ(source.read(), in);
  }
};

TEST_F(OpenclRandomCalls, GivenHundreds_WhenComparedWithTheCpuLibrary_ThenEqual) {
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
