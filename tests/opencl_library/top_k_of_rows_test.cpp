// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first elements of each row, and the element of one rank in each row, against the standard library's sort of the rows.
#include "check.h"

#include <upsweep/opencl/top_k_of_rows.h>

namespace upsweep::opencl::test {

struct Table {
  std::size_t rows, length, k;
};

class OpenclTopKOfRows : public OpenclLibrary {
protected:
  // The places of the first k elements within each row, in the order of less(a, b), which compares places in the table.
  template <class Less>
  static std::vector<std::uint32_t> first_places(const Table &t, const Less &less) {
    std::vector<std::uint32_t> all;
    for (std::size_t row = 0; row < t.rows; ++row) {
      const auto begin = static_cast<std::uint32_t>(row * t.length);
      const auto order = stable_order(t.length, [&](auto a, auto b) { return less(begin + a, begin + b); });
      all.insert(all.end(), order.begin(), order.begin() + static_cast<std::ptrdiff_t>(t.k));
    }
    return all;
  }

  // Elements of the table by places in the rows, `per` for each row.
  template <class T>
  static std::vector<T> elements_of_rows(const std::vector<T> &in, const Table &t, const std::vector<std::uint32_t> &places,
                                         std::size_t per) {
    std::vector<T> all;
    for (std::size_t i = 0; i < places.size(); ++i) all.push_back(in[i / per * t.length + places[i]]);
    return all;
  }

  template <class T>
  static std::vector<T> keys_of(const Table &t) {
    auto in = random_elements<T>(t.rows * t.length, test_seed() + t.rows + t.length);
    for (std::size_t i = 0; i < in.size(); i += 3) in[i] = static_cast<T>(i % 7);  // equal ones
    return in;
  }

  template <class T>
  void takes(const Table &t, const plan &how) {
    SCOPED_TRACE(testing::Message() << t.k << " of each of " << t.rows << " rows of " << t.length << ", "
                                    << type_of<T>::value().name << ", " << how);
    const auto [rows, length, k] = t;
    const std::vector<T> in = keys_of<T>(t);
    const auto first = first_places(t, [&](auto a, auto b) { return in[a] < in[b]; });
    const auto wanted = elements_of_rows(in, t, first, k);
    std::vector<std::uint16_t> numbers(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) numbers[i] = static_cast<std::uint16_t>(i * 7 + 3);
    Guarded<T> keys(in, 2), out(rows * k, 1), with_values(rows * k), with_places(rows * k, 2);
    Guarded<std::uint16_t> values(numbers, 1), values_out(rows * k, 2);
    Guarded<std::uint32_t> places(rows * k, 1);
    Guarded<std::uint64_t> places_alone(rows * k);
    EXPECT_CL(top_k_keys_of_rows(keys.view(), out.view(), rows, length, k, queue_, how));
    ASSERT_EQ(out.read(), wanted);
    EXPECT_CL(
        top_k_pairs_of_rows(keys.view(), with_values.view(), values.view(), values_out.view(), rows, length, k, queue_, how));
    ASSERT_EQ(with_values.read(), wanted);
    ASSERT_EQ(values_out.read(), elements_of_rows(numbers, t, first, k));
    EXPECT_CL(arg_top_k_of_rows(keys.view(), with_places.view(), places.view(), rows, length, k, queue_, how));
    ASSERT_EQ(with_places.read(), wanted);
    ASSERT_EQ(places.read(), first);
    EXPECT_CL(arg_top_k_of_rows(keys.view(), array(), places_alone.view(), rows, length, k, queue_, how));
    ASSERT_EQ(places_alone.read(), std::vector<std::uint64_t>(first.begin(), first.end()));
    ASSERT_EQ(keys.read(), in);
  }

  // The last of the first k in the reverse order.
  template <class T>
  void finds(const Table &t, const plan &how) {
    SCOPED_TRACE(testing::Message() << "place " << t.k - 1 << " of each of " << t.rows << " rows of " << t.length << ", "
                                    << type_of<T>::value().name << ", " << how);
    const auto [rows, length, k] = t;
    const std::vector<T> in = keys_of<T>(t);
    const auto first = first_places(t, [&](auto a, auto b) { return in[b] < in[a]; });
    std::vector<std::uint32_t> wanted_places;
    for (std::size_t row = 0; row < rows; ++row) wanted_places.push_back(first[row * k + k - 1]);
    const auto wanted = elements_of_rows(in, t, wanted_places, 1);
    Guarded<T> keys(in, 2), out(rows, 1), with_places(rows, 3);
    Guarded<std::uint32_t> places(rows, 1), places_alone(rows);
    EXPECT_CL(nth_element_of_rows(keys.view(), out.view(), rows, length, k - 1, queue_, descending, how));
    ASSERT_EQ(out.read(), wanted);
    EXPECT_CL(
        arg_nth_element_of_rows(keys.view(), with_places.view(), places.view(), rows, length, k - 1, queue_, descending, how));
    ASSERT_EQ(with_places.read(), wanted);
    ASSERT_EQ(places.read(), wanted_places);
    EXPECT_CL(arg_nth_element_of_rows(keys.view(), array(), places_alone.view(), rows, length, k - 1, queue_, descending, how));
    ASSERT_EQ(places_alone.read(), wanted_places);
    ASSERT_EQ(keys.read(), in);
  }
};

// Rows around the edges of work-groups and tiles; a long row is a call of its own.
TEST_F(OpenclTopKOfRows, GivenManyShapes_WhenTheFirstAreTaken_ThenAsBySorts) {
  const unsigned group = known_.max_group < 64 ? 1 : 64;
  for (const plan &how : {plan{}, plan{0, 120, 0, group, 3}}) {
    for (const Table &t :
         {Table{0, 5, 2}, Table{3, 0, 0}, Table{1, 1, 1}, Table{1000, 2, 1}, Table{70, 64, 64}, Table{9, 191, 7},
          Table{5, 192, 0}, Table{5, 193, 192}, Table{4, 20001, 300}, Table{1, 140000, 2000}}) {
      takes<std::int32_t>(t, how);
      if (t.k > 0) finds<std::int32_t>(t, how);
    }
  }
}

TEST_F(OpenclTopKOfRows, GivenEveryType_WhenTheFirstAreTaken_ThenAsBySorts) {
  const Table t{21, 1003, 90};
  takes<std::int8_t>(t, {});
  finds<std::uint16_t>(t, {});
  takes<std::uint64_t>(t, {});
  finds<std::int64_t>(t, plan{0, 0, -1, 32, 5});
  takes<float>(t, plan{0, 0, -1, 32, 5});
  if (known_.has_double) finds<double>(t, {});
}

struct Pixel {
  std::uint8_t red, green;
  std::uint16_t number;  // does not count
};

TEST_F(OpenclTopKOfRows, GivenStructs_WhenTheFirstAreTakenByMembers_ThenAsBySorts) {
  const element_type type("pixel", "typedef struct { uchar red, green; ushort number; } pixel;", sizeof(Pixel), alignof(Pixel));
  const Table t{30, 400, 50};
  std::mt19937_64 random(test_seed());
  std::vector<Pixel> in(t.rows * t.length);
  for (std::size_t i = 0; i < in.size(); ++i) {
    in[i] = {static_cast<std::uint8_t>(random() % 3), static_cast<std::uint8_t>(random() % 9), static_cast<std::uint16_t>(i)};
  }
  const auto first =
      first_places(t, [&](auto a, auto b) { return std::pair(in[a].red, in[a].green) < std::pair(in[b].red, in[b].green); });
  Guarded<Pixel> keys(in), out(t.rows * t.k);
  EXPECT_CL(top_k_keys_of_rows(keys.view_as(type), out.view_as(type), t.rows, t.length, t.k, queue_,
                               by_members{member<std::uint8_t>("red"), member<std::uint8_t>("green")},
                               plan{0, known_.has_language(200) ? 200 : 0, -1, 0, 0}));
  const auto found = out.read();
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(found[i].number, static_cast<std::uint16_t>(i / t.k * t.length + first[i])) << i;
  }
}

TEST_F(OpenclTopKOfRows, GivenWrongArguments_WhenTheFirstAreTaken_ThenErrorsAndNothingWritten) {
  Guarded<std::uint32_t> in(std::vector<std::uint32_t>(100, 1)), out(100), second(100);
  const array x = in.view(), y = out.view(), z = second.view();
  const std::uint64_t many = std::uint64_t(1) << 32;
  EXPECT_EQ(top_k_keys_of_rows(x, y, 10, 10, 11, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(nth_element_of_rows(x, y, 10, 10, 10, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(nth_element_of_rows(x, y, 10, 0, 0, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(top_k_keys_of_rows(x, y, many, 1, 1, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(top_k_keys_of_rows(x, y, 1, many, 1, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(top_k_keys_of_rows(x, y, many - 1, many - 1, 1, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(top_k_keys_of_rows(x, y, 10, 100, 5, queue_), CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(top_k_keys_of_rows(x, buffer<std::uint32_t>(out.memory(), 150), 10, 10, 2, queue_), CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(top_k_keys_of_rows(x, buffer<std::uint32_t>(in.memory(), 99), 10, 10, 1, queue_), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(arg_top_k_of_rows(x, y, buffer<std::uint32_t>(out.memory(), 19), 10, 10, 2, queue_), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(top_k_pairs_of_rows(x, y, z, buffer<float>(second.memory()), 10, 10, 2, queue_), CL_INVALID_VALUE);
  EXPECT_TRUE(out.read(0).empty());
  EXPECT_TRUE(second.read(0).empty());
}

}  // namespace upsweep::opencl::test
