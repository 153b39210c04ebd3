// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Turning a kernel call's argument block into CUDA's parameters.
#include "targets/cuda/launch.h"
#include "targets/cuda/code_object.h"
#include "targets/cuda/grids.h"
#include <cstring>

namespace upsweep {
namespace {

const CudaCode *code_of(const KernelCall &call) {
  for (const Ref<Counted> &kept : call.keep_alive)
    if (const auto *code = dynamic_cast<const CudaCode *>(kept.get())) return code;
  return nullptr;
}

/// Pointers to the arguments in `block`, in which local pointers become offsets into dynamic shared memory, behind what is
/// declared, and room for one more.
std::vector<void *> make_parameters(const UpsweepKernel &kernel, uint64_t declared_bytes, std::vector<std::byte> &block) {
  std::vector<void *> parameters;
  parameters.reserve(kernel.num_arguments + 1);
  for (uint32_t i = 0; i < kernel.num_arguments; ++i) {
    const UpsweepArgument &argument = kernel.arguments[i];
    std::byte *place = block.data() + argument.offset;
    parameters.push_back(place);
    if (argument.kind != UPSWEEP_ARGUMENT_LOCAL) continue;
    uint64_t offset = 0;  // of static and dynamic local memory together
    std::memcpy(&offset, place, sizeof(offset));
    const auto dynamic = static_cast<uint32_t>(offset - declared_bytes);
    std::memcpy(place, &dynamic, sizeof(dynamic));
  }
  parameters.push_back(nullptr);
  return parameters;
}

}  // namespace

Result<AfterStream> issue_launch(const Gpu &gpu, PrintfBuffers &printf_buffers, const Launch &launch, CUstream stream) {
  const KernelCall &call = launch.call;
  const CudaCode *code = code_of(call);
  if (!code) return fail(CL_INVALID_PROGRAM_EXECUTABLE, "the kernel's code is not a GPU's");
  const UpsweepKernel &kernel = *call.kernel;
  CUfunction function = code->function(kernel);
  const uint64_t declared_bytes = code->declared_local_bytes(kernel);
  std::vector<std::byte> block = call.arguments;
  std::vector<void *> parameters = make_parameters(kernel, declared_bytes, block);
  const auto dynamic_bytes = static_cast<unsigned>(call.local_bytes - declared_bytes);
  Result<CUdeviceptr> printf_buffer = 0;
  if (code->prints(kernel)) printf_buffer = printf_buffers.take(stream);
  if (!printf_buffer) return fail(printf_buffer);
  auto launched = for_each_grid(launch.range, [&](Grid &grid) {
    grid.parameter.printf_buffer = *printf_buffer;
    parameters.back() = &grid.parameter;
    const auto [bx, by, bz] = grid.blocks;
    const auto [tx, ty, tz] = grid.threads;
    return gpu.driver.check(
        gpu.driver.launch(function, bx, by, bz, tx, ty, tz, dynamic_bytes, stream, parameters.data(), nullptr),
        CL_OUT_OF_RESOURCES, "the kernel could not be started");
  });
  if (!launched) return fail(launched);
  if (!*printf_buffer) return AfterStream();
  return AfterStream([&printf_buffers, buffer = *printf_buffer] { return printf_buffers.print(buffer); });
}

}  // namespace upsweep
