// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layout: ABI (u32), PTX, whether it is optimised (u8), program-scope bytes (u64), number of kernels (u32). For each kernel:
// description, symbols, number of textures (u32) and their UpsweepTextureUse. Number of variables (u32); for each name, symbol,
// bytes (u64), whether the host reads and writes (u8 each).
#include "compiler/client/gpu_image.h"

#include "base/wire.h"
#include "targets/cuda/kernel_abi.h"

namespace upsweep::compiler {

namespace {

GpuSymbols read_symbols(WireReader &reader) {
  GpuSymbols symbols;
  for (std::string *name : {&symbols.whole, &symbols.edges, &symbols.textures, &symbols.orders}) *name = reader.text();
  return symbols;
}

/// False if a use refers to no image or sampler argument of the kernel.
bool read_textures(WireReader &reader, GpuKernel &kernel) {
  const auto is_argument = [&](uint32_t number, ArgumentKind kind) {
    const auto &arguments = kernel.description.arguments;
    return number < arguments.size() && arguments[number].kind == kind;
  };
  const auto count = reader.get<uint32_t>();
  if (count > UPSWEEP_CUDA_MOST_TEXTURES) return false;
  for (uint32_t i = 0; i < count; ++i) {
    UpsweepTextureUse use{};
    use.image = reader.get<uint32_t>();
    use.sampler = reader.get<uint32_t>();
    use.sampler_is_argument = reader.get<uint32_t>();
    if (!reader.ok() || !is_argument(use.image, ArgumentKind::kImage)) return false;
    if (use.sampler_is_argument && !is_argument(use.sampler, ArgumentKind::kSampler)) return false;
    kernel.textures.push_back(use);
  }
  return true;
}

}  // namespace

Bytes encode(const GpuImage &image) {
  WireWriter writer;
  writer.put(UPSWEEP_CUDA_ABI)
      .put(image.ptx)
      .put(image.is_optimised)
      .put(image.program_scope_bytes)
      .put(static_cast<uint32_t>(image.kernels.size()));
  for (const GpuKernel &kernel : image.kernels) {
    put(writer, kernel.description);
    const GpuSymbols &symbols = kernel.symbols;
    writer.put(symbols.whole).put(symbols.edges).put(symbols.textures).put(symbols.orders);
    writer.put(static_cast<uint32_t>(kernel.textures.size()));
    for (const UpsweepTextureUse &use : kernel.textures) writer.put(use.image).put(use.sampler).put(use.sampler_is_argument);
  }
  writer.put(static_cast<uint32_t>(image.variables.size()));
  for (const GpuVariable &variable : image.variables)
    writer.put(variable.name).put(variable.symbol).put(variable.bytes).put(variable.host_reads).put(variable.host_writes);
  return writer.take();
}

std::optional<GpuImage> decode_gpu_image(ByteSpan bytes) {
  WireReader reader(bytes);
  GpuImage image;
  if (reader.get<uint32_t>() != UPSWEEP_CUDA_ABI) return std::nullopt;
  image.ptx = reader.text();
  image.is_optimised = reader.get<uint8_t>() != 0;
  image.program_scope_bytes = reader.get<uint64_t>();
  const auto kernels = reader.get<uint32_t>();
  for (uint32_t i = 0; i < kernels && reader.ok(); ++i) {  // each kernel takes some bytes, so a wrong number soon ends the loop
    std::optional<KernelDescription> description = get_kernel_description(reader);
    if (!description) return std::nullopt;
    GpuKernel &kernel = image.kernels.emplace_back(std::move(*description), read_symbols(reader));
    if (!read_textures(reader, kernel)) return std::nullopt;
  }
  const auto variables = reader.get<uint32_t>();
  for (uint32_t i = 0; i < variables && reader.ok(); ++i) {
    GpuVariable &variable = image.variables.emplace_back();
    for (std::string *text : {&variable.name, &variable.symbol}) *text = reader.text();
    variable.bytes = reader.get<uint64_t>();
    for (bool *may : {&variable.host_reads, &variable.host_writes}) *may = reader.get<uint8_t>() != 0;
  }
  return reader.at_end() && image.kernels.size() == kernels && image.variables.size() == variables
             ? std::optional(std::move(image))
             : std::nullopt;
}

}  // namespace upsweep::compiler
