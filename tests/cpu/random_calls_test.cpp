// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thousand random calls, each compared with the C++ standard library's result.
#include "check.h"

#include <upsweep/cpu/partition.h>
#include <upsweep/cpu/reduce.h>
#include <upsweep/cpu/scan.h>
#include <upsweep/cpu/sort.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace upsweep::cpu::test {

template <class T>
class Calls {
public:
  Calls(std::mt19937_64 &random, thread_pool &pool) : random_(random), pool_(pool) {}

  void next() {
    const std::size_t n = draw_length();
    in_ = random_elements<T>(n, random_());
    if (random_() % 2 == 0) {
      for (T &x : in_) {
        x = static_cast<T>(static_cast<int>(x) % 3);  // runs of equal elements
      }
    }
    const std::size_t offset = random_() % 16;
    Guarded<T> out(n, offset), source(n, random_() % 16);
    source.fill(in_);
    const bool is_in_place = random_() % 4 == 0;
    Guarded<T> &to = is_in_place ? source : out;
    const unsigned kind = random_() % 8;
    SCOPED_TRACE(testing::Message() << "call " << kind << " of " << n << " elements of " << sizeof(T) << " bytes, in place "
                                    << is_in_place);
    std::vector<T> wanted(n);
    std::size_t kept = n;
    const auto is_odd = [](const T &x) { return static_cast<std::int64_t>(x) % 2 != 0; };
    switch (kind) {
    case 0:
      inclusive_sum(source.data(), to.data(), n, pool_);
      std::inclusive_scan(in_.begin(), in_.end(), wanted.begin(), plus{});
      break;
    case 1:
      exclusive_scan(source.data(), to.data(), n, plus{}, T(3), pool_);
      std::exclusive_scan(in_.begin(), in_.end(), wanted.begin(), T(3), plus{});
      break;
    case 2:
      inclusive_scan(source.data(), to.data(), n, [](const T &a, const T &b) { return a < b ? b : a; }, pool_);
      std::inclusive_scan(in_.begin(), in_.end(), wanted.begin(), maximum{});
      break;
    case 3:
      inclusive_scan(source.data(), to.data(), n, minimum{}, pool_, backward);
      std::inclusive_scan(in_.rbegin(), in_.rend(), wanted.rbegin(), minimum{});
      break;
    case 4:
      select_if(source.data(), to.data(), &kept, n, is_odd, pool_);
      wanted.erase(std::copy_if(in_.begin(), in_.end(), wanted.begin(), is_odd), wanted.end());
      break;
    case 5:
      unique(source.data(), to.data(), &kept, n, equal_to{}, pool_);
      wanted.erase(std::unique_copy(in_.begin(), in_.end(), wanted.begin()), wanted.end());
      break;
    case 6:
      sort_keys(source.data(), to.data(), n, pool_);
      std::partial_sort_copy(in_.begin(), in_.end(), wanted.begin(), wanted.end());
      break;
    default:
      merge_sort(source.data(), to.data(), n, std::greater<>(), pool_);
      std::partial_sort_copy(in_.begin(), in_.end(), wanted.begin(), wanted.end(), std::greater<>());
    }
    ASSERT_EQ(kept, wanted.size());
    ASSERT_TRUE(std::equal(wanted.begin(), wanted.end(), to.data()));
    ASSERT_TRUE(out.is_intact(is_in_place ? 0 : kept) && source.is_intact());
    T total{};
    reduce(in_.begin(), &total, n, plus{}, T(1), pool_);
    ASSERT_EQ(total, std::reduce(in_.begin(), in_.end(), T(1), plus{}));
  }

private:
  std::size_t draw_length() {
    const std::size_t bits = random_() % 19;
    return random_() % (std::size_t(1) << bits);
  }

  std::mt19937_64 &random_;
  thread_pool &pool_;
  std::vector<T> in_;
};

TEST(CpuRandomCalls, GivenAThousand_WhenComparedWithTheStandardLibrary_ThenEqual) {
  const char *seed = std::getenv("UPSWEEP_TEST_SEED");
  std::mt19937_64 random(seed != nullptr ? std::strtoull(seed, nullptr, 10) : 1);
  const auto levels = all_instructions();
  for (int call = 0; call < 1000 && !testing::Test::HasFatalFailure(); ++call) {
    SCOPED_TRACE(testing::Message() << "call number " << call);
    use_instructions(levels[random() % levels.size()]);
    thread_pool pool(1 + random() % (call % 50 == 0 ? 64 : 6));
    switch (random() % 6) {
    case 0: Calls<std::uint8_t>(random, pool).next(); break;
    case 1: Calls<std::int16_t>(random, pool).next(); break;
    case 2: Calls<std::int32_t>(random, pool).next(); break;
    case 3: Calls<std::uint64_t>(random, pool).next(); break;
    case 4: Calls<float>(random, pool).next(); break;
    default: Calls<double>(random, pool).next();
    }
  }
  use_instructions(instructions::avx512);
}

}  // namespace upsweep::cpu::test
