// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first elements of a sort, and the element of one rank, against the standard library's sort.
#include "check.h"

#include <upsweep/opencl/top_k.h>

#include <bit>

namespace upsweep::opencl::test {

class OpenclTopK : public OpenclLibrary {
protected:
  // The first k of `order`, a stable order of the elements, with their places; and the last of these alone.
  template <class T>
  void takes(const std::vector<T> &in, const std::vector<std::uint32_t> &order, std::size_t k, const plan &how,
             const auto &...options) {
    const std::size_t n = in.size();
    SCOPED_TRACE(testing::Message() << k << " of " << n << " keys of " << type_of<T>::value().name << ", " << how);
    const std::vector<std::uint32_t> first(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(k));
    Guarded<T> keys(in, n % 3), out(k, 1), nth(1, 2);
    Guarded<std::uint32_t> places(k, 1), place(1, 1);
    EXPECT_CL(arg_top_k(keys.view(), out.view(), places.view(), n, k, queue_, how, options...));
    ASSERT_TRUE(are_same(out.read(), elements_at(in, first)));
    ASSERT_EQ(places.read(), first);
    ASSERT_TRUE(are_same(keys.read(), in));
    if (k == 0) return;
    EXPECT_CL(arg_nth_element(keys.view(), nth.view(), place.view(), n, k - 1, queue_, how, options...));
    ASSERT_TRUE(are_same(nth.read(), {in[first[k - 1]]}));
    ASSERT_EQ(place.read()[0], first[k - 1]);
  }

  // The same by the calls without places, with values of the keys, and with places alone.
  template <class T>
  void takes_otherwise(const std::vector<T> &in, std::size_t k, const plan &how) {
    const std::size_t n = in.size();
    SCOPED_TRACE(testing::Message() << k << " of " << n << " keys, " << how);
    auto first = stable_order(n, [&](std::uint32_t a, std::uint32_t b) { return in[a] < in[b]; });
    first.resize(k);
    const std::vector<T> wanted = elements_at(in, first);
    std::vector<std::uint16_t> numbers(n);
    for (std::size_t i = 0; i < n; ++i) numbers[i] = static_cast<std::uint16_t>(i * 7 + 3);
    Guarded<T> keys(in, n % 3), out(k, 1), with_values(k, 2), nth(1, 2);
    Guarded<std::uint16_t> values(numbers, 1), values_out(k, 3);
    Guarded<std::uint64_t> places(k), place(1, 1);
    EXPECT_CL(top_k_keys(keys.view(), out.view(), n, k, queue_, how));
    ASSERT_EQ(out.read(), wanted);
    EXPECT_CL(top_k_pairs(keys.view(), with_values.view(), values.view(), values_out.view(), n, k, queue_, how));
    ASSERT_EQ(with_values.read(), wanted);
    ASSERT_EQ(values_out.read(), elements_at(numbers, first));
    EXPECT_CL(arg_top_k(keys.view(), array(), places.view(), n, k, queue_, how));
    ASSERT_EQ(places.read(), std::vector<std::uint64_t>(first.begin(), first.end()));
    ASSERT_EQ(keys.read(), in);
    if (k == 0) return;
    EXPECT_CL(nth_element(keys.view(), nth.view(), n, k - 1, queue_, how));
    ASSERT_EQ(nth.read()[0], wanted[k - 1]);
    EXPECT_CL(arg_nth_element(keys.view(), array(), place.view(), n, k - 1, queue_, how));
    ASSERT_EQ(place.read()[0], first[k - 1]);
  }

  template <class T>
  static bool are_same(const std::vector<T> &a, const std::vector<T> &b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
  }

  template <class T>
  void takes(const std::vector<T> &in, std::size_t k, const plan &how, bool is_descending = false) {
    if (is_descending) {
      takes(in, stable_order(in.size(), [&](auto a, auto b) { return in[b] < in[a]; }), k, how, descending);
    } else {
      takes(in, stable_order(in.size(), [&](auto a, auto b) { return in[a] < in[b]; }), k, how);
    }
  }

  // A third of the keys have few values, so that many are equal.
  template <class T>
  static std::vector<T> keys_of(std::size_t n, std::uint64_t seed) {
    auto in = random_elements<T>(n, seed);
    for (std::size_t i = 0; i < n; i += 3) in[i] = static_cast<T>(i % 7);
    return in;
  }
};

TEST_F(OpenclTopK, GivenEveryWayAndLength_WhenTheFirstAreTaken_ThenAsBySorts) {
  for (const plan &how : plans(known_)) {
    if (how.launches == 3 && how.group == 0 && how.language != 120) continue;  // programs that plans of one launch have, too
    for (const std::size_t n : {0, 1, 191, 192, 193, 3000}) {
      for (const std::size_t k : {std::size_t(0), std::size_t(1), n / 3, n}) {
        if (k > n) continue;
        const auto in = keys_of<std::uint32_t>(n, test_seed() + n);
        takes(in, k, how);
      }
    }
  }
}

TEST_F(OpenclTopK, GivenEveryCall_WhenTheFirstAreTaken_ThenAsBySorts) {
  for (const plan &how : {plan{}, plan{3, 0, -1, static_cast<unsigned>(known_.max_group < 64 ? 1 : 64), 3}}) {
    for (const std::size_t n : {1, 193, 40000}) {
      for (const std::size_t k : {n / 3, n}) takes_otherwise(keys_of<std::uint32_t>(n, test_seed() + n), k, how);
    }
  }
}

TEST_F(OpenclTopK, GivenEveryType_WhenTheFirstAreTaken_ThenAsBySorts) {
  std::mt19937_64 random(test_seed());
  std::vector<__int128> wide(10007);
  for (__int128 &key : wide) {
    const unsigned __int128 high = random() % 3 - 1;
    key = static_cast<__int128>(high << 64 | random());
  }
  const plan groups{0, 0, -1, 32, 5};
  takes(keys_of<std::int8_t>(20000, random()), random() % 20000, {});
  takes(keys_of<std::uint16_t>(20001, random()), random() % 300, groups, true);
  takes(keys_of<std::int32_t>(40961, random()), random() % 300, {}, true);
  takes(keys_of<std::int64_t>(20003, random()), random() % 20003, groups);
  takes(keys_of<float>(20004, random()), 1000, groups);
  if (known_.has_double) takes(keys_of<double>(20005, random()), random() % 20005, {}, true);
  takes(wide, 500, {}, true);
  takes(wide, 500, groups);
}

TEST_F(OpenclTopK, GivenManyKeysThatAgree_WhenTheFirstAreTaken_ThenAsBySorts) {
  std::mt19937_64 random(test_seed());
  const std::size_t n = 50021;
  std::vector<std::uint64_t> in(n, 0x1234567812345678);
  for (const std::size_t k : {1U, 25000U, 50021U}) takes(in, k, {});
  // Common bits end in any of the bytes, and many or few keys are left behind them.
  for (unsigned bits = 4; bits < 64; bits += 20) {
    for (std::uint64_t &key : in) key = 0x1234567812345678 ^ (random() & ((std::uint64_t(1) << bits) - 1));
    takes(in, random() % n, {});
    for (std::size_t i = 0; i < n; i += 2) in[i] = random();
    takes(in, random() % n, plan{3, 120, 0, static_cast<unsigned>(known_.max_group < 64 ? 1 : 64), 3});
  }
}

// NaNs of both signs, infinities, zeros of both signs and denormal numbers, each several times.
TEST_F(OpenclTopK, GivenNumbersOfAllKinds_WhenTheFirstAreTaken_ThenInTheOrderOfSorts) {
  std::mt19937_64 random(test_seed());
  const std::uint32_t special[] = {0x7fc00000, 0xffc00000, 0x7f800001, 0xffffffff, 0x7f800000, 0xff800000,
                                   0,          0x80000000, 1,          0x80000001, 0x3f800000, 0xbf800000};
  std::vector<float> in(5003);
  for (float &x : in)
    x = std::bit_cast<float>(random() % 3 == 0 ? special[random() % 12] : static_cast<std::uint32_t>(random()));
  // The order of classes and, within a class, of magnitudes: negative numbers descending, positive numbers and NaNs without a
  // sign ascending, then NaNs with a sign.
  const auto place_of = [&](std::uint32_t i) {
    const auto bits = std::bit_cast<std::uint32_t>(in[i]);
    const std::int64_t magnitude = bits & 0x7fffffff;
    const bool is_negative = bits >> 31 != 0, is_nan = magnitude > 0x7f800000;
    return std::pair(is_nan ? (is_negative ? 3 : 2) : (is_negative ? 0 : 1), is_negative ? -magnitude : magnitude);
  };
  const auto up = stable_order(in.size(), [&](auto a, auto b) { return place_of(a) < place_of(b); });
  const auto down = stable_order(in.size(), [&](auto a, auto b) { return place_of(b) < place_of(a); });
  for (const std::size_t k : {1U, 700U, 2500U, 3400U, 4500U, 5003U}) {
    takes(in, up, k, {});
    takes(in, down, k, {}, descending);
  }
}

TEST_F(OpenclTopK, GivenNumbersOnTheDevice_WhenTheFirstAreTaken_ThenOfThoseElements) {
  const std::size_t n = 20011, k = 300;
  const auto in = keys_of<std::int32_t>(n, test_seed());
  Guarded<std::int32_t> keys(in, 2);
  for (const std::size_t count : {0U, 1U, 299U, 300U, 301U, 8192U, 20011U, 30000U}) {
    const std::size_t real = std::min(count, n), found = std::min(real, k);
    Guarded<std::uint32_t> number(std::vector<std::uint32_t>{static_cast<std::uint32_t>(count)}, 1);
    auto order = stable_order(real, [&](auto a, auto b) { return in[a] < in[b]; });
    for (const plan &how : {plan{}, plan{3, 0, -1, 32, 3}}) {
      SCOPED_TRACE(testing::Message() << count << " elements, " << how);
      const count_at of(number.view(), n);
      Guarded<std::int32_t> out(k), nth(1), wrong(1);
      Guarded<std::uint64_t> places(k), place(1);
      EXPECT_CL(arg_top_k(keys.view(), out.view(), places.view(), of, k, queue_, how));
      EXPECT_CL(arg_nth_element(keys.view(), nth.view(), place.view(), of, k - 1, queue_, how));
      EXPECT_CL(nth_element(keys.view(), wrong.view(), of, n - 1, queue_, how));
      const std::vector<std::uint32_t> first(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(found));
      ASSERT_EQ(out.read(found), elements_at(in, first));
      ASSERT_EQ(places.read(found), std::vector<std::uint64_t>(first.begin(), first.end()));
      const bool has_rank = real >= k;
      const auto key = nth.read(has_rank ? 1 : 0);
      const auto index = place.read(has_rank ? 1 : 0);
      if (has_rank) {
        ASSERT_EQ(key[0], in[order[k - 1]]);
        ASSERT_EQ(index[0], order[k - 1]);
      }
      ASSERT_EQ(wrong.read(real == n ? 1 : 0).size(), real == n ? 1U : 0U);
    }
  }
}

struct Score {
  double points;
  std::int32_t name;
  std::int32_t number;  // does not count
};

TEST_F(OpenclTopK, GivenStructs_WhenTheFirstAreTakenByMembers_ThenAsBySorts) {
  if (!known_.has_double) GTEST_SKIP() << "no double";
  const element_type type("score", "typedef struct { double points; int name, number; } score;", sizeof(Score), alignof(Score));
  const std::size_t n = 10007, k = 600;
  std::mt19937_64 random(test_seed());
  std::vector<Score> in(n);
  for (std::size_t i = 0; i < n; ++i) {
    in[i] = {static_cast<double>(random() % 5) - 2, static_cast<std::int32_t>(random() % 300) - 100, static_cast<int>(i)};
  }
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(in[a].points, in[a].name) < std::pair(in[b].points, in[b].name);
  };
  const auto order = stable_order(n, [&](auto a, auto b) { return before(b, a); });
  const by_members members{member<double>("points"), member<std::int32_t>("name")};
  Guarded<Score> keys(in), out(k), nth(1);
  EXPECT_CL(top_k_keys(keys.view_as(type), out.view_as(type), n, k, queue_, members, descending));
  EXPECT_CL(nth_element(keys.view_as(type), nth.view_as(type), n, k - 1, queue_, descending, members));
  const auto found = out.read();
  for (std::size_t i = 0; i < k; ++i) ASSERT_EQ(found[i].number, static_cast<int>(order[i])) << i;
  ASSERT_EQ(nth.read()[0].number, static_cast<int>(order[k - 1]));
}

TEST_F(OpenclTopK, GivenWrongArguments_WhenTheFirstAreTaken_ThenErrorsAndNothingWritten) {
  const std::size_t n = 100;
  Guarded<std::uint32_t> in(std::vector<std::uint32_t>(n, 1)), out(n), second(n);
  const array x = in.view(), y = out.view(), z = second.view();
  EXPECT_EQ(top_k_keys(x, y, n, n + 1, queue_), CL_INVALID_VALUE);
  EXPECT_NE(std::string(last_message()).find("exceeds the number of elements"), std::string::npos) << last_message();
  EXPECT_EQ(nth_element(x, y, n, n, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(nth_element(x, y, 0, 0, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(top_k_keys(x, buffer<std::int32_t>(out.memory()), n, 3, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(top_k_keys(x, array(), n, 3, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(top_k_keys(x, y, n + 100, 3, queue_), CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(top_k_keys(x, y, std::uint64_t(1) << 32, 3, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(top_k_keys(x, buffer<std::uint32_t>(out.memory(), 150), n, 50, queue_), CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(top_k_keys(x, buffer<std::uint32_t>(in.memory(), 99), n, 3, queue_), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(top_k_pairs(x, y, y, z, n, 3, queue_), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(top_k_pairs(x, y, x, buffer<float>(second.memory()), n, 3, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(arg_top_k(x, y, buffer<std::uint32_t>(out.memory(), 2), n, 3, queue_), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(arg_top_k(x, y, buffer<std::uint16_t>(second.memory()), n, 3, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(arg_nth_element(x, array(), array(), n, 3, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(arg_top_k(x, array(), z, count_at(buffer<std::uint32_t>(second.memory(), 1), n), 3, queue_), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(top_k_keys(x, y, count_at(buffer<float>(second.memory()), n), 3, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(top_k_keys(buffer<std::uint32_t>(cl_mem(nullptr)), y, n, 3, queue_), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(top_k_keys(x, buffer<std::uint32_t>(cl_mem(nullptr)), n, 0, queue_), CL_SUCCESS);
  EXPECT_TRUE(out.read(0).empty());
  EXPECT_TRUE(second.read(0).empty());
}

}  // namespace upsweep::opencl::test
