// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layout: ABI (u32), PTX, program-scope bytes (u64), number of kernels (u32), and each kernel's description and edges (u8).
#include "compiler/client/gpu_image.h"

#include "base/wire.h"
#include "targets/cuda/kernel_abi.h"

namespace upsweep::compiler {

Bytes encode(const GpuImage &image) {
  WireWriter writer;
  writer.put(UPSWEEP_CUDA_ABI).put(image.ptx).put(image.program_scope_bytes).put(static_cast<uint32_t>(image.kernels.size()));
  for (const GpuKernel &kernel : image.kernels) {
    put(writer, kernel.description);
    writer.put(kernel.has_edges);
  }
  return writer.take();
}

std::optional<GpuImage> decode_gpu_image(ByteSpan bytes) {
  WireReader reader(bytes);
  GpuImage image;
  if (reader.get<uint32_t>() != UPSWEEP_CUDA_ABI) return std::nullopt;
  image.ptx = reader.text();
  image.program_scope_bytes = reader.get<uint64_t>();
  const auto kernels = reader.get<uint32_t>();
  for (uint32_t i = 0; i < kernels && reader.ok(); ++i) {  // each takes some bytes, so that a false number ends soon
    std::optional<KernelDescription> description = get_kernel_description(reader);
    if (!description) return std::nullopt;
    image.kernels.emplace_back(std::move(*description), reader.get<uint8_t>() != 0);
  }
  return reader.at_end() && image.kernels.size() == kernels ? std::optional(std::move(image)) : std::nullopt;
}

}  // namespace upsweep::compiler
