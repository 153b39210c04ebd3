// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions beside plain loops.
#include "check.h"

#include <upsweep/opencl/reduce.h>

namespace upsweep::opencl::test {

class OpenclReduce : public OpenclLibrary {};

TEST_F(OpenclReduce, GivenEveryWayAndLength_WhenReduced_ThenAsALoop) {
  for (const plan &how : plans(known_)) {
    for (const std::size_t n : lengths(how.group != 0 ? how.group * how.items : 4096)) {
      SCOPED_TRACE(testing::Message() << n << " elements, " << how);
      const auto in = random_elements<std::int32_t>(n, n);
      Guarded<std::int32_t> source(in, n % 7), total(1, n % 3);
      std::uint32_t sum = 5;
      for (const std::int32_t x : in) sum += static_cast<std::uint32_t>(x);
      EXPECT_CL(reduce(source.view(), total.view(), n, plus{}, 5, queue_, how));
      ASSERT_EQ(total.read()[0], static_cast<std::int32_t>(sum));
    }
  }
}

TEST_F(OpenclReduce, GivenOtherTypesAndOperators_WhenReduced_ThenAsALoop) {
  const std::size_t n = 100003;
  const auto bytes = random_elements<std::uint8_t>(n, 3);
  const auto floats = random_elements<float>(n, 4);
  Guarded<std::uint8_t> source(bytes, 1);
  Guarded<float> numbers(floats), greatest(1), squares(1);
  Guarded<std::uint64_t> total(1);
  EXPECT_CL(sum(source.view(), total.view(), n, queue_));
  EXPECT_CL(reduce(numbers.view(), greatest.view(), n, maximum{}, -100.0F, queue_));
  EXPECT_CL(transform_reduce(numbers.view(), squares.view(), n, plus{},
                             function("square", "float square(float x) { return x * x; }"), 0.0F, queue_));
  std::uint64_t wanted = 0;
  float of_squares = 0, most = -100;
  for (const std::uint8_t x : bytes) wanted += x;
  for (const float x : floats) {
    of_squares += x * x;  // exact: below 2^24
    most = std::max(most, x);
  }
  EXPECT_EQ(total.read()[0], wanted);
  EXPECT_EQ(greatest.read()[0], most);
  EXPECT_EQ(squares.read()[0], of_squares);
}

// The first non-zero operand; it does not commute.
TEST_F(OpenclReduce, GivenAnOperatorThatDoesNotCommute_WhenReduced_ThenInOrder) {
  for (const std::size_t n : {1, 1000, 60000}) {
    std::vector<std::uint32_t> in(n);
    for (std::size_t i = n / 2; i < n; ++i) in[i] = static_cast<std::uint32_t>(i + 1);
    Guarded<std::uint32_t> source(in), out(1);
    const operation first("first_of", "uint first_of(uint a, uint b) { return a != 0 ? a : b; }");
    for (const plan &how : plans(known_)) {
      EXPECT_CL(reduce(source.view(), out.view(), n, first, std::uint32_t(0), queue_, how));
      ASSERT_EQ(out.read()[0], n / 2 + 1);
    }
  }
}

}  // namespace upsweep::opencl::test
