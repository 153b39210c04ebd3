// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Searches for an element, and differences of neighbours, against plain loops.
#include "check.h"

#include <upsweep/opencl/adjacent.h>
#include <upsweep/opencl/find.h>
#include <upsweep/opencl/reduce.h>

#include <algorithm>

namespace upsweep::opencl::test {

namespace {

// The library's own choice, and a few shapes with edges everywhere.
std::vector<plan> shapes(const detail::Device &device) {
  return {{}, {0, 120, -1, static_cast<unsigned>(device.max_group < 64 ? 1 : 64), 3}};
}

constexpr std::size_t kLengths[] = {1, 2, 191, 192, 193, 5000, 100003, 1000001};

}  // namespace

class OpenclSearch : public OpenclLibrary {
protected:
  template <class T>
  void extremes(const plan &how) {
    SCOPED_TRACE(testing::Message() << type_of<T>::value().name << ", " << how);
    std::mt19937_64 random(test_seed());
    for (const std::size_t n : kLengths) {
      std::vector<T> in = random_elements<T>(n, n);  // few values, so that several elements are least
      if constexpr (sizeof(T) == 8) {
        for (T &x : in) x = static_cast<T>(x % 1000);
      }
      Guarded<T> source(in, n % 5);
      Guarded<indexed<T>> least(1, 2), largest(1);
      EXPECT_CL(arg_min(source.view(), least.view(), n, queue_, how));
      EXPECT_CL(arg_max(source.view(), largest.view(), n, queue_, how));
      const auto min = std::min_element(in.begin(), in.end()), max = std::max_element(in.begin(), in.end());
      const auto a = least.read(1)[0], b = largest.read(1)[0];
      ASSERT_EQ(a.value, *min);
      ASSERT_EQ(a.index, std::uint64_t(min - in.begin())) << n;
      ASSERT_EQ(b.value, *max);
      ASSERT_EQ(b.index, std::uint64_t(max - in.begin())) << n;
    }
  }

  template <class T, class Out>
  void differences(const plan &how) {
    for (const std::size_t n : kLengths) {
      const std::vector<T> in = random_elements<T>(n, n);
      Guarded<T> source(in, n % 5);
      Guarded<Out> out(n, n % 3);
      std::vector<Out> wanted(n);
      for (std::size_t i = 0; i < n; ++i) wanted[i] = static_cast<Out>(i == 0 ? in[0] : static_cast<T>(in[i] - in[i - 1]));
      EXPECT_CL(adjacent_difference(source.view(), out.view(), n, queue_, how));
      ASSERT_EQ(out.read(), wanted) << n << ", " << how;
    }
  }
};

TEST_F(OpenclSearch, GivenEqualExtremes_WhenSearched_ThenTheFirst) {
  for (const plan &how : shapes(known_)) {
    extremes<std::uint8_t>(how);
    extremes<float>(how);
    extremes<std::uint64_t>(how);
  }
}

TEST_F(OpenclSearch, GivenNoElement_WhenSearched_ThenNothingIsWritten) {
  Guarded<float> source(4);
  Guarded<indexed<float>> out(1);
  EXPECT_CL(arg_min(source.view(), out.view(), 0, queue_));
  out.read(0);
  EXPECT_EQ(arg_min(source.view(), source.view(), 4, queue_), CL_INVALID_VALUE);
}

TEST_F(OpenclSearch, GivenPlacesEverywhere_WhenFound_ThenTheFirst) {
  const function is_large("is_large", "bool is_large(int x) { return x > 100; }");
  std::mt19937_64 random(test_seed());
  for (const plan &how : shapes(known_)) {
    for (const std::size_t n : kLengths) {
      for (int trial = 0; trial < 4; ++trial) {
        std::vector<std::int32_t> in(n, 100);
        for (int k = 0; k < 3 * trial; ++k) in[random() % n] = 101;  // none, and several
        if (trial == 1) in[n - 1] = 200;
        Guarded<std::int32_t> source(in, n % 5);
        Guarded<std::uint64_t> place(1, 1);
        EXPECT_CL(find_if(source.view(), place.view(), n, is_large, queue_, how));
        const auto found = std::find_if(in.begin(), in.end(), [](std::int32_t x) { return x > 100; });
        ASSERT_EQ(place.read()[0], std::uint64_t(found - in.begin())) << n << ", " << how;
      }
    }
  }
  Guarded<std::int32_t> none(1), place(1);
  EXPECT_CL(find_if(none.view(), place.view(), 0, is_large, queue_));
  EXPECT_EQ(place.read()[0], 0);
}

TEST_F(OpenclSearch, GivenNumbersOnTheDevice_WhenCalled_ThenTheyCount) {
  const std::size_t n = 70001;
  const function is_large("is_large", "bool is_large(int x) { return x > 100; }");
  std::vector<std::int32_t> in(n, 7);
  in[50000] = 200;
  in[60000] = -5;
  Guarded<std::int32_t> source(in), out(n);
  for (const std::uint32_t count : {0U, 1U, 50000U, 50001U, 60001U, 70001U, 4000000000U}) {
    Guarded<std::uint32_t> number(std::vector<std::uint32_t>{count}, 3), place(1);
    const std::size_t real = std::min<std::size_t>(count, n);
    const count_at some(number.view(), n);
    EXPECT_CL(find_if(source.view(), place.view(), some, is_large, queue_));
    EXPECT_EQ(place.read()[0], real > 50000 ? 50000 : real);
    Guarded<indexed<std::int32_t>> least(1);
    EXPECT_CL(arg_min(source.view(), least.view(), some, queue_));
    if (real > 0) {
      EXPECT_EQ(least.read()[0].index, real > 60000 ? 60000U : 0U);
    } else {
      least.read(0);
    }
    EXPECT_CL(adjacent_difference(source.view(), out.view(), some, queue_));
  }
  EXPECT_EQ(out.read()[50000], 193);
}

TEST_F(OpenclSearch, GivenElements_WhenDifferencesAreTaken_ThenAsALoop) {
  for (const plan &how : shapes(known_)) {
    differences<std::int32_t, std::int32_t>(how);
    differences<std::uint8_t, std::int64_t>(how);
    differences<float, float>(how);
  }
  Guarded<std::int32_t> source(std::vector<std::int32_t>{1, 5, 3}), out(3);
  const function greater("greater_of", "int greater_of(int x, int before) { return max(x, before); }");
  EXPECT_CL(adjacent_difference(source.view(), out.view(), 3, greater, queue_));
  EXPECT_EQ(out.read(), (std::vector<std::int32_t>{1, 5, 5}));
  EXPECT_EQ(adjacent_difference(source.view(), source.view(), 3, queue_), CL_MEM_COPY_OVERLAP);
}

}  // namespace upsweep::opencl::test
