// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel, in PTX. The number of threads is a multiple of the pattern's words, so each thread writes one word all the time.
#include "targets/cuda/fill_kernel.h"
#include <algorithm>
#include <array>
#include <cstring>

namespace upsweep {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kBlocksPerMultiprocessor = 8;
constexpr size_t kWord = 8;

constexpr const char *kPtx = R"(
.version 6.3
.target sm_70
.address_size 64
.visible .entry fill(.param .u64 to, .param .u64 words, .param .u32 last, .param .align 8 .b8 pattern[128]) {
  .reg .b32 %r<8>;
  .reg .b64 %d<10>;
  .reg .pred %p;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r0, %r1, %r2;
  mov.u32 %r4, %nctaid.x;
  mul.lo.u32 %r4, %r4, %r1;
  ld.param.u32 %r5, [last];
  and.b32 %r5, %r5, %r3;
  mul.wide.u32 %d0, %r5, 8;
  mov.u64 %d1, pattern;
  add.u64 %d1, %d1, %d0;
  ld.param.u64 %d2, [%d1];
  ld.param.u64 %d3, [to];
  cvta.to.global.u64 %d3, %d3;
  ld.param.u64 %d4, [words];
  cvt.u64.u32 %d5, %r3;
  cvt.u64.u32 %d6, %r4;
again:
  setp.ge.u64 %p, %d5, %d4;
  @%p ret;
  shl.b64 %d7, %d5, 3;
  add.u64 %d7, %d7, %d3;
  st.global.u64 [%d7], %d2;
  add.u64 %d5, %d5, %d6;
  bra again;
}
)";

}  // namespace

Result<void> FillKernel::issue(CUdeviceptr to, size_t bytes, const char *pattern, size_t pattern_bytes, CUstream stream) {
  std::call_once(loaded_, [this] {
    CUmodule module = nullptr;
    state_ = gpu_.driver.load_module(&module, kPtx, 0, nullptr, nullptr);
    if (state_ == 0) state_ = gpu_.driver.get_function(&function_, module, "fill");
  });
  if (state_ != 0) return gpu_.driver.check(state_, CL_OUT_OF_RESOURCES, "the kernel for fills could not be loaded");
  uint64_t words = bytes / kWord;
  auto last = static_cast<uint32_t>(pattern_bytes / kWord - 1);
  std::array<char, kMaxFillPattern> block{};
  std::memcpy(block.data(), pattern, pattern_bytes);
  std::array<void *, 4> parameters{&to, &words, &last, block.data()};
  const uint64_t most = uint64_t{kBlocksPerMultiprocessor} * static_cast<unsigned>(gpu_.attribute(kMultiprocessors));
  const auto blocks = static_cast<unsigned>(std::min(most, (words + kThreads - 1) / kThreads));
  return gpu_.driver.check(gpu_.driver.launch(function_, blocks, 1, 1, kThreads, 1, 1, 0, stream, parameters.data(), nullptr),
                           CL_OUT_OF_RESOURCES, "a fill could not be started");
}

}  // namespace upsweep
