// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans by key, by flag, of segments and of rows against a plain loop.
#include "check.h"

#include <upsweep/opencl/segments.h>

namespace upsweep::opencl::test {

class OpenclSegments : public OpenclLibrary {
protected:
  void scans(std::size_t n, std::size_t longest, const plan &how) {
    SCOPED_TRACE(testing::Message() << n << " elements in runs of up to " << longest << ", " << how);
    std::mt19937_64 random(test_seed() + n + longest);
    const auto in = random_elements<std::int32_t>(n, n);
    std::vector<std::int32_t> keys(n), inclusive(n), exclusive(n), rows(n);
    std::vector<std::uint8_t> flags(n);
    std::vector<std::uint32_t> offsets;
    for (std::size_t i = 0; i < n; ++i) {
      flags[i] = i > 0 && random() % longest == 0 ? 7 : 0;
      keys[i] = i == 0 ? 0 : keys[i - 1] + flags[i];
      const bool is_head = i == 0 || flags[i] != 0;
      if (is_head) offsets.push_back(static_cast<std::uint32_t>(i));
      const auto add = [](std::int32_t a, std::int32_t b) {
        return static_cast<std::int32_t>(std::uint32_t(a) + std::uint32_t(b));
      };
      exclusive[i] = is_head ? 3 : add(exclusive[i - 1], in[i - 1]);
      inclusive[i] = is_head ? in[i] : std::max(inclusive[i - 1], in[i]);
      rows[i] = i % longest == 0 ? in[i] : add(rows[i - 1], in[i]);
    }
    offsets.push_back(static_cast<std::uint32_t>(n));  // an empty segment behind the last
    Guarded<std::int32_t> source(in, 1), of_keys(keys), a(n), b(n, 2), c(n), d(n), e(n), both(in);
    Guarded<std::uint8_t> of_flags(flags);
    Guarded<std::uint32_t> of_offsets(offsets);
    EXPECT_CL(inclusive_scan_by_key(of_keys.view(), source.view(), a.view(), n, maximum{}, queue_, how));
    EXPECT_CL(exclusive_scan_by_flag(of_flags.view(), source.view(), b.view(), n, plus{}, 3, queue_, how));
    EXPECT_CL(
        exclusive_scan_of_segments(source.view(), c.view(), n, of_offsets.view(), offsets.size(), plus{}, 3, queue_, how));
    EXPECT_CL(
        inclusive_scan_of_segments(both.view(), both.view(), n, of_offsets.view(), offsets.size(), maximum{}, queue_, how));
    EXPECT_CL(inclusive_scan_of_rows(source.view(), e.view(), n, longest, plus{}, queue_, how));
    EXPECT_CL(exclusive_scan_by_key(of_keys.view(), source.view(), d.view(), n, plus{}, 3,
                                    function("same", "bool same(int a, int b) { return a == b; }"), queue_, how));
    ASSERT_EQ(a.read(), inclusive);
    ASSERT_EQ(b.read(), exclusive);
    ASSERT_EQ(c.read(), exclusive);
    ASSERT_EQ(d.read(), exclusive);
    ASSERT_EQ(e.read(), rows);
    ASSERT_EQ(both.read(), inclusive);
  }
};

TEST_F(OpenclSegments, GivenEveryWayAndLength_WhenScanned_ThenAsALoop) {
  for (const plan &how : plans(known_)) {
    for (const std::size_t n : {0, 1, 191, 193, 5000}) scans(n, 1 + n % 40, how);
  }
  scans(200003, 1000, {});
  scans(100003, 1, {});
  scans(kStreamedItems + 5, 50000, {});
}

TEST_F(OpenclSegments, GivenAnOperatorWithoutAnIdentity_WhenScannedByKey_ThenInOrder) {
  const std::size_t n = 30000;
  std::vector<std::int32_t> keys(n), in(n), wanted(n);
  for (std::size_t i = 0; i < n; ++i) {
    keys[i] = static_cast<std::int32_t>(i / 700);
    in[i] = i % 13 == 0 ? static_cast<std::int32_t>(i) : 0;
    wanted[i] = i % 700 == 0 || in[i] != 0 ? in[i] : wanted[i - 1];
  }
  Guarded<std::int32_t> of_keys(keys), source(in), out(n);
  const operation last("last_of", "int last_of(int a, int b) { return b != 0 ? b : a; }");
  for (const plan &how : plans(known_)) {
    EXPECT_CL(inclusive_scan_by_key(of_keys.view(), source.view(), out.view(), n, last, queue_, how));
    ASSERT_EQ(out.read(), wanted);
  }
}

}  // namespace upsweep::opencl::test
