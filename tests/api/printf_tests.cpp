// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// printf in kernels: the compiler packs the arguments, and the text appears on the application's standard output.
#include "object_fixture.h"
#include <algorithm>
#include <sstream>

namespace {

using namespace upsweep::tests;

class PrintfTest : public ObjectFixture {
protected:
  /// The output of a kernel with this `body`, run for `items` work-items.
  std::string output_of(const std::string &body, size_t items = 1, size_t local = 0) {
    return output_of(body, "-cl-std=CL3.0", items, local);
  }
  std::string output_of(const std::string &body, const char *options, size_t items = 1, size_t local = 0) {
    const std::string source = "constant char text[] = \"constant\"; kernel void f() { " + body + " }";
    cl_kernel kernel = make_kernel(build(source.c_str(), options), "f");
    testing::internal::CaptureStdout();
    run(kernel, items, local);
    return testing::internal::GetCapturedStdout();
  }
};

TEST_F(PrintfTest, GivenEveryKindOfArgument_WhenPrinted_ThenTheTextIsAsInC) {
  EXPECT_EQ(output_of(R"(printf("%d %u %c %s %s|\n", -3, 4u, 'x', "literal", text);)"), "-3 4 x literal constant|\n");
  EXPECT_EQ(output_of(R"(char a = -1; short b = -2; printf("%hhd %hd %ld\n", a, b, 1L << 40);)"), "-1 -2 1099511627776\n");
  EXPECT_EQ(output_of(R"(printf("%f %.3e %g\n", 1.5f, 2.25, 0.1f);)"), "1.500000 2.250e+00 0.1\n");
  EXPECT_EQ(output_of(R"(printf("%a 100%% \n", 1.0f);)"), "0x1p+0 100% \n");
}

TEST_F(PrintfTest, GivenSizesAndDifferences_WhenPrinted_ThenTheirLengthsAreOf64Bits) {
  for (const char *options : {"-cl-std=CL3.0 -Werror", "-cl-std=CL3.1 -Werror"}) {
    EXPECT_EQ(
        output_of(R"(size_t n = (size_t)10000000000L; printf("%zu|%15zu|%-15zu|%zx|%zX|%zo\n", n, n, n, n, n, n);)", options),
        "10000000000|    10000000000|10000000000    |2540be400|2540BE400|112402762000\n");
    EXPECT_EQ(output_of(R"(ptrdiff_t d = -10000000000L; printf("%td|%+ti|%015td|%d\n", d, -d, d, 7);)", options),
              "-10000000000|+10000000000|-00010000000000|7\n");
    EXPECT_EQ(output_of(R"(printf("%zu %td %zu\n", get_global_size(0), (text + 4) - text, sizeof(int));)", options), "1 4 4\n");
  }
}

TEST_F(PrintfTest, GivenVectors_WhenPrinted_ThenEveryLengthWorks) {
  EXPECT_EQ(output_of(R"(printf("%v4hlf|%d\n", (float4)(1, 2, 3, 4), 5);)"), "1.000000,2.000000,3.000000,4.000000|5\n");
  EXPECT_EQ(output_of(R"(printf("%v3hld|%d\n", (int3)(1, 2, 3), 5);)"), "1,2,3|5\n");
  EXPECT_EQ(output_of(R"(printf("%v2lf|%d\n", (double2)(1, 2), 5);)"), "1.000000,2.000000|5\n");
  EXPECT_EQ(output_of(R"(printf("%v8hhd|%d\n", (char8)(-1), 5);)"), "-1,-1,-1,-1,-1,-1,-1,-1|5\n");
  EXPECT_EQ(output_of(R"(printf("%v16hx|%d\n", (ushort16)(10), 5);)"), "a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a|5\n");
  EXPECT_EQ(output_of(R"(printf("%v2lx|%d\n", (ulong2)(1ul << 36), 5);)"), "1000000000,1000000000|5\n");
}

TEST_F(PrintfTest, GivenManyWorkGroups_WhenEachPrintsALine_ThenAllLinesAreWhole) {
  constexpr size_t kItems = 2000;
  std::istringstream lines(output_of(R"(printf("item %d of a kernel\n", (int)get_global_id(0));)", kItems, 10));
  std::vector<int> seen;
  for (std::string line; std::getline(lines, line);) {
    int item = -1;
    char rest[16];
    ASSERT_EQ(std::sscanf(line.c_str(), "item %d of a %15s", &item, rest), 2) << line;
    ASSERT_STREQ(rest, "kernel");
    seen.push_back(item);
  }
  std::ranges::sort(seen);
  std::vector<int> expected(kItems);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(seen, expected);
}

TEST_F(PrintfTest, GivenALineWithoutEnd_WhenTheKernelEnds_ThenItIsThere) {
  EXPECT_EQ(output_of(R"(printf("a"); printf("b");)"), "ab");
}

TEST_F(PrintfTest, GivenMoreThanThereIsRoomFor_WhenPrinted_ThenWhoReturnsZeroIsWhoPrinted) {
  constexpr size_t kItems = 100'000;
  cl_kernel kernel = make_kernel(build("kernel void f(global int *lost) { size_t i = get_global_id(0); lost[i] = printf(\"%d "
                                       "%s\\n\", (int)i, \"is here\"); }"),
                                 "f");
  cl_mem lost = make_buffer(kItems * sizeof(cl_int));
  ASSERT_EQ(set_argument(kernel, 0, lost), CL_SUCCESS);
  for (int launch = 0; launch < 2; ++launch) {  // the second launch finds the buffer empty again
    testing::internal::CaptureStdout();
    run(kernel, kItems);
    std::istringstream lines(testing::internal::GetCapturedStdout());
    std::vector<cl_int> results(kItems), printed(kItems, -1);
    ASSERT_EQ(clEnqueueReadBuffer(in_order_, lost, CL_TRUE, 0, kItems * sizeof(cl_int), results.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    for (std::string line; std::getline(lines, line);) {
      size_t item = kItems;
      char rest[16] = {};
      ASSERT_EQ(std::sscanf(line.c_str(), "%zu is %15s", &item, rest), 2) << line;
      ASSERT_LT(item, kItems);
      ASSERT_STREQ(rest, "here");
      ++printed[item];
    }
    EXPECT_TRUE(printed == results);
    EXPECT_GE(std::ranges::count(results, 0), 1000);
  }
}

TEST_F(PrintfTest, GivenWorkGroupsOfAGlobalSizeThatDoesNotDivide_WhenPrinted_ThenEachWorkItemPrints) {
  const std::string text = output_of(R"(printf("%d,", (int)get_local_size(0));)", 10, 4);
  EXPECT_EQ(std::ranges::count(text, '4'), 8) << text;
  EXPECT_EQ(std::ranges::count(text, '2'), 2) << text;
}

}  // namespace
