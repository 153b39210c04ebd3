// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device-wide scans of more than 2^31 and 2^32 elements, if the GPU has the memory.
#include "scan_device_check.h"

using namespace upsweep::test;

namespace {

template <Kind kKind, class Scan>
void check_huge(const char *name, std::size_t n, const Scan &scan) {
  std::size_t free_bytes = 0, all_bytes = 0;
  UPSWEEP_CUDA(cudaMemGetInfo(&free_bytes, &all_bytes));
  if (n > most_elements() || free_bytes < 2 * n + (std::size_t(1) << 30)) {
    std::printf("not run: %s of %zu bytes, since %zu are free\n", name, n, free_bytes);
    return;
  }
  DeviceArray<std::uint8_t> in(n), out(n);
  DeviceArray<unsigned long long> wrong(std::vector<unsigned long long>{0});
  Space space(cuda::scan_workspace_bytes<std::uint8_t>(n));
  fill_kernel<<<check_blocks(n), kCheckThreads>>>(in.data(), n, 1u);
  UPSWEEP_CUDA(scan(space, in.data(), out.data(), n));
  check_kernel<kKind>
      <<<check_blocks(n), kCheckThreads>>>(in.data(), out.data(), n, cuda::plus{}, std::uint8_t(7), nullptr, wrong.data());
  UPSWEEP_CUDA(cudaGetLastError());
  UPSWEEP_CHECK(wrong.download().front() == 0);
  UPSWEEP_CHECK(out.end_is_intact());
}

constexpr std::size_t kOver31Bits = (std::size_t(1) << 31) + 1;
constexpr std::size_t kOver32Bits = (std::size_t(1) << 32) + 1;

}  // namespace

UPSWEEP_TEST(GivenMoreThan31BitsCount_WhenSummed_ThenAllAreRight) {
  for (const std::size_t n : {kOver31Bits, kOver32Bits}) {
    check_huge<Kind::kInclusive>("inclusive", n,
                                 [](const cuda::workspace &space, const std::uint8_t *in, std::uint8_t *out,
                                    std::size_t count) { return cuda::inclusive_sum(space, in, out, count); });
    check_huge<Kind::kExclusive>(
        "exclusive", n, [](const cuda::workspace &space, const std::uint8_t *in, std::uint8_t *out, std::size_t count) {
          return cuda::exclusive_scan(space, in, out, count, cuda::plus{}, std::uint8_t(7));
        });
    check_huge<Kind::kBackward>("backward", n,
                                [](const cuda::workspace &space, const std::uint8_t *in, std::uint8_t *out, std::size_t count) {
                                  return cuda::inclusive_sum(space, in, out, count, nullptr, cuda::backward);
                                });
  }
}
