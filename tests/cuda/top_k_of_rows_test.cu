// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selections by rank in rows of words and structs; wrong calls.
#include "top_k_of_rows_check.h"

namespace upsweep::test {

namespace {

struct Reading {
  std::uint16_t station;
  std::int16_t value;
  explicit operator float() const { return value; }
};

}  // namespace

UPSWEEP_TEST(GivenRowsOfWords_WhenSelectedByRank_ThenAsOnTheHost) {
  check_all_rows<std::uint32_t>("u32", is_before<std::uint32_t>);
}
UPSWEEP_TEST(GivenRowsOfStructs_WhenSelectedByAMember_ThenTheOtherDoesNotCount) {
  constexpr cuda::by_members<&Reading::value> kByValue{};
  const auto before = [](const Reading &a, const Reading &b) { return a.value < b.value; };
  for (const std::size_t length : {100, 2000, 9000, 200003}) {
    check_rows<Reading>("struct", 3, length, Spread::kRandom, before, kByValue);
    check_rows<Reading>("struct", 3, length, Spread::kOneHotDigit, before, kByValue);
  }
}

UPSWEEP_TEST(GivenWrongArguments_WhenRowsAreSelectedByRank_ThenAnError) {
  constexpr std::uint64_t kRows = 3, kLength = 9000, kK = 10;
  DeviceArray<std::uint32_t> in(kRows * kLength), out(kRows * kK);
  const auto *const source = static_cast<const std::uint32_t *>(in.data());
  const std::uint32_t *const none = nullptr;
  std::uint32_t *const nowhere = nullptr;
  const SortSpaceOf space(cuda::top_k_of_rows_workspace_bytes<std::uint32_t>(kRows, kLength, kK));
  const auto select = [&](const cuda::workspace &memory, const std::uint32_t *from, std::uint32_t *to, std::uint64_t rows,
                          std::uint64_t length,
                          std::uint64_t k) { return cuda::top_k_keys_of_rows(memory, from, to, rows, length, k); };
  const auto is_refused = [](cudaError_t error) { return error == cudaErrorInvalidValue; };
  UPSWEEP_CHECK(is_refused(select(space.space, none, out.data(), kRows, kLength, kK)));
  UPSWEEP_CHECK(is_refused(select(space.space, source, nowhere, kRows, kLength, kK)));
  UPSWEEP_CHECK(is_refused(select(space.space, source, in.data(), kRows, kLength, kK)));
  UPSWEEP_CHECK(is_refused(select(space.space, source, in.data(), kRows, 100, kK)));
  UPSWEEP_CHECK(is_refused(select(space.space, source, out.data(), kRows, 9, kK)));
  UPSWEEP_CHECK(is_refused(select(space.space, source, out.data(), kRows, std::uint64_t(1) << 32, kK)));
  UPSWEEP_CHECK(is_refused(select(space.space, source, out.data(), std::uint64_t(1) << 32, 100, kK)));
  UPSWEEP_CHECK(is_refused(select(cuda::workspace{space.space.data, 64}, source, out.data(), kRows, kLength, kK)));
  UPSWEEP_CHECK(is_refused(select(cuda::workspace{}, source, out.data(), kRows, kLength, kK)));
  UPSWEEP_CHECK(is_refused(cuda::arg_top_k_of_rows(source, out.data(), out.data() + kK, kRows, kLength, kK)));
  UPSWEEP_CHECK(is_refused(cuda::arg_top_k_of_rows(source, nowhere, in.data(), kRows, kLength, kK)));
  UPSWEEP_CHECK(is_refused(cuda::nth_element_of_rows(space.space, source, out.data(), kRows, kLength, kLength)));
  UPSWEEP_CHECK(is_refused(cuda::nth_element_of_rows(space.space, source, nowhere, kRows, kLength, 0)));
  UPSWEEP_CHECK(select(space.space, none, nowhere, 0, kLength, kK) == cudaSuccess);
  UPSWEEP_CHECK(select(space.space, none, nowhere, kRows, kLength, 0) == cudaSuccess);
  UPSWEEP_CHECK(cudaGetLastError() == cudaSuccess);
}

}  // namespace upsweep::test
