// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turning a kernel call's argument block into CUDA's parameters.
#include "targets/cuda/launch.h"
#include "targets/cuda/code_object.h"
#include "targets/cuda/grids.h"
#include <array>
#include <cstring>

namespace upsweep {
namespace {

/// CUDA's parameters: pointers to the arguments and to the grid's. Local pointers become offsets into dynamic shared memory,
/// behind what is declared.
class Parameters {
public:
  Parameters(const KernelDescription &kernel, uint64_t declared_bytes, const std::byte *block) {
    count_ = static_cast<uint32_t>(kernel.arguments.size());
    if (count_ >= few_.size()) many_.resize(count_ + 1);
    pointers_ = many_.empty() ? few_.data() : many_.data();
    auto *bytes = const_cast<std::byte *>(block);
    for (uint32_t i = 0; i < count_; ++i) {
      const ArgumentDescription &argument = kernel.arguments[i];
      pointers_[i] = bytes + argument.offset;
      if (argument.kind != ArgumentKind::kLocal) continue;
      if (local_offsets_.empty()) local_offsets_.resize(count_);
      uint64_t offset = 0;  // of static and dynamic local memory together
      std::memcpy(&offset, bytes + argument.offset, sizeof(offset));
      local_offsets_[i] = static_cast<uint32_t>(offset - declared_bytes);
      pointers_[i] = &local_offsets_[i];
    }
  }

  void **with(UpsweepGrid &grid) {
    pointers_[count_] = &grid;
    return pointers_;
  }

private:
  std::array<void *, 32> few_;
  std::vector<void *> many_;
  std::vector<uint32_t> local_offsets_;
  void **pointers_;
  uint32_t count_;
};

}  // namespace

Result<AfterStream> issue_launch(const Gpu &gpu, PrintfBuffers &printf_buffers, const Launch &launch, CUstream stream) {
  const KernelCall &call = launch.call;
  const auto &code = static_cast<const CudaCode &>(*call.code);  // what a GPU's target has loaded
  const KernelDescription &kernel = *call.kernel;
  const CudaCode::Functions &functions = code.functions(kernel);
  const uint64_t declared_bytes = functions.declared_local_bytes();
  Parameters parameters(kernel, declared_bytes, call.arguments.data());
  const auto dynamic_bytes = static_cast<unsigned>(call.local_bytes - declared_bytes);
  Result<CUdeviceptr> printf_buffer = 0;
  if (kernel.prints) printf_buffer = printf_buffers.take(stream);
  if (!printf_buffer) return fail(printf_buffer);
  Grids grids(launch.range);
  while (Grid *grid = grids.next()) {
    grid->parameter.printf_buffer = *printf_buffer;
    const auto [bx, by, bz] = grid->blocks;
    const auto [tx, ty, tz] = grid->threads;
    CUfunction function = (grid->is_whole ? functions.whole : functions.edges).handle;
    const CUresult result =
        gpu.driver.launch(function, bx, by, bz, tx, ty, tz, dynamic_bytes, stream, parameters.with(grid->parameter), nullptr);
    auto launched = gpu.driver.check(result, CL_OUT_OF_RESOURCES, "the kernel could not be started");
    if (!launched) return fail(launched);
  }
  if (!*printf_buffer) return AfterStream();
  return AfterStream([&printf_buffers, buffer = *printf_buffer] { return printf_buffers.print(buffer); });
}

}  // namespace upsweep
