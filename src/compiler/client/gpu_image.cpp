// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layout: ABI (u32), PTX, program-scope bytes (u64), number of kernels (u32), and each kernel with its arguments.
#include "compiler/client/gpu_image.h"

#include "compiler/client/wire.h"
#include "targets/cuda/kernel_abi.h"

namespace upsweep::compiler {
namespace {

/// An argument takes at least this many bytes, a kernel more: numbers beyond the rest of the image are damage.
constexpr size_t kLeastEntry = 40;

void put(WireWriter &writer, const GpuKernel &kernel) {
  const UpsweepKernel &k = kernel.figures;
  writer.put(kernel.name).put(kernel.attributes).put(static_cast<uint32_t>(kernel.arguments.size()));
  writer.put(k.argument_block_bytes).put(k.local_bytes).put(k.sub_group_size);
  for (int i = 0; i < 3; ++i) writer.put(k.required_local_size[i]).put(k.local_size_hint[i]);
  writer.put(k.required_sub_group_size).put(k.uniform_work_group_size).put(k.has_argument_info);
  writer.put(static_cast<uint32_t>(kernel.prints)).put(static_cast<uint32_t>(kernel.has_edges));
  for (const GpuKernel::Argument &argument : kernel.arguments) {
    const UpsweepArgument &a = argument.figures;
    writer.put(argument.name).put(argument.type_name).put(a.kind).put(a.address_qualifier).put(a.access_qualifier);
    writer.put(a.type_qualifier).put(a.offset).put(a.size).put(a.align);
  }
}

/// Nothing when there are fewer arguments than it says.
std::optional<GpuKernel> get_kernel(WireReader &reader, size_t most) {
  GpuKernel kernel;
  UpsweepKernel &k = kernel.figures;
  kernel.name = reader.text();
  kernel.attributes = reader.text();
  const auto arguments = reader.get<uint32_t>();
  k.argument_block_bytes = reader.get<uint32_t>();
  k.local_bytes = reader.get<uint64_t>();
  k.sub_group_size = reader.get<uint32_t>();
  for (int i = 0; i < 3; ++i) {
    k.required_local_size[i] = reader.get<uint32_t>();
    k.local_size_hint[i] = reader.get<uint32_t>();
  }
  k.required_sub_group_size = reader.get<uint32_t>();
  k.uniform_work_group_size = reader.get<uint32_t>();
  k.has_argument_info = reader.get<uint32_t>();
  kernel.prints = reader.get<uint32_t>() != 0;
  kernel.has_edges = reader.get<uint32_t>() != 0;
  for (uint32_t i = 0; i < arguments && i < most && reader.ok(); ++i) {
    GpuKernel::Argument &argument = kernel.arguments.emplace_back();
    argument.name = reader.text();
    argument.type_name = reader.text();
    UpsweepArgument &a = argument.figures;
    for (uint32_t *field :
         {&a.kind, &a.address_qualifier, &a.access_qualifier, &a.type_qualifier, &a.offset, &a.size, &a.align})
      *field = reader.get<uint32_t>();
  }
  if (!reader.ok() || kernel.arguments.size() != arguments) return std::nullopt;
  return kernel;
}

}  // namespace

Bytes encode(const GpuImage &image) {
  WireWriter writer;
  writer.put(UPSWEEP_CUDA_ABI).put(image.ptx).put(image.program_scope_bytes).put(static_cast<uint32_t>(image.kernels.size()));
  for (const GpuKernel &kernel : image.kernels) put(writer, kernel);
  return writer.take();
}

std::optional<GpuImage> decode_gpu_image(ByteSpan bytes) {
  WireReader reader(bytes);
  GpuImage image;
  if (reader.get<uint32_t>() != UPSWEEP_CUDA_ABI) return std::nullopt;
  image.ptx = reader.text();
  image.program_scope_bytes = reader.get<uint64_t>();
  const auto kernels = reader.get<uint32_t>();
  const size_t most = bytes.size() / kLeastEntry;
  for (uint32_t i = 0; i < kernels && i < most; ++i) {
    std::optional<GpuKernel> kernel = get_kernel(reader, most);
    if (!kernel) return std::nullopt;
    image.kernels.push_back(std::move(*kernel));
  }
  return reader.at_end() && image.kernels.size() == kernels ? std::optional(std::move(image)) : std::nullopt;
}

}  // namespace upsweep::compiler
