// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts a kernel call's argument block to CUDA's parameters.
#include "targets/cuda/launch.h"
#include "targets/cuda/code_object.h"
#include "targets/cuda/grids.h"
#include <array>
#include <cstring>

namespace upsweep {
namespace {

const CudaCode::Functions &functions_of(const KernelCall &call) {
  return static_cast<const CudaCode &>(*call.code).functions(*call.kernel);  // the type that the GPU's target loads
}

/// An argument of 8 bytes in an argument block: a local pointer, an image, a sampler.
uint64_t value_at(const std::byte *block, const ArgumentDescription &argument) {
  uint64_t value = 0;
  std::memcpy(&value, block + argument.offset, sizeof value);
  return value;
}

/// CUDA's parameters: pointers to the arguments and to the grid's fields. Local pointers become offsets into dynamic shared
/// memory, which follows declared memory. Images become their descriptions.
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
      if (argument.kind == ArgumentKind::kImage) pointers_[i] = &CudaImage::of(value_at(block, argument)).description();
      if (argument.kind != ArgumentKind::kLocal) continue;
      if (local_offsets_.empty()) local_offsets_.resize(count_);
      // The argument's offset includes static local memory.
      local_offsets_[i] = static_cast<uint32_t>(value_at(block, argument) - declared_bytes);
      pointers_[i] = &local_offsets_[i];
    }
  }

  /// `grid`: an UpsweepGrid and the data after it.
  void **with(void *grid) {
    pointers_[count_] = grid;
    return pointers_;
  }

private:
  std::array<void *, 32> few_;
  std::vector<void *> many_;
  std::vector<uint32_t> local_offsets_;
  void **pointers_;
  uint32_t count_;
};

/// The last parameter of kernels that read images through textures.
struct GridWithTextures {
  UpsweepGrid grid;
  std::array<UpsweepTexture, UPSWEEP_CUDA_MOST_TEXTURES> textures;
};
static_assert(offsetof(GridWithTextures, textures) == sizeof(UpsweepGrid));

/// The version of the kernel for launches in which each pair of image and sampler has a texture, which it stores in `grid`;
/// null if a pair has none.
const CudaCode::Function *find_textures(const KernelCall &call, const CudaCode::WithTextures &version, CUstream stream,
                                        GridWithTextures &grid) {
  const auto value_of = [&](uint32_t argument) { return value_at(call.arguments.data(), call.kernel->arguments[argument]); };
  bool has_orders = false;
  for (size_t i = 0; i < version.uses.size(); ++i) {
    const UpsweepTextureUse &use = version.uses[i];
    const uint64_t sampler = use.sampler_is_argument ? value_of(use.sampler) : use.sampler;
    const auto texture = CudaImage::of(value_of(use.image)).textures().texture(static_cast<uint32_t>(sampler), stream);
    if (!texture) return nullptr;
    has_orders |= texture->order != 0;
    grid.textures[i] = *texture;
  }
  if (version.uses.empty()) return nullptr;
  return has_orders ? &version.orders : &version.plain;
}

/// The version of the kernel with textures, and its last parameter; `function` is null for other versions.
struct Textured {
  const CudaCode::Function *function = nullptr;
  GridWithTextures *last = nullptr;
};

/// The dynamic shared memory of a launch whose local arguments have `bytes`. Programs read behind a local argument and ignore
/// the value, such as boolean indexing in dpnp 0.20, whose bounds check follows the read. On other devices the read gives any
/// value; an NVIDIA GPU stops. A multiprocessor holds as many work-groups with kLeastBytes as without local memory.
unsigned shared_bytes_for(uint64_t bytes, uint64_t declared_bytes) {
  constexpr uint64_t kLeastBytes = 2048, kAlwaysThere = uint64_t{48} << 10;
  const bool may_grow = bytes != 0 && bytes < kLeastBytes && declared_bytes + kLeastBytes <= kAlwaysThere;
  return static_cast<unsigned>(may_grow ? kLeastBytes : bytes);
}

/// Calls `use` with each CudaKernel of a launch, until it fails.
template <typename Use>
Result<void> for_each_grid(const Launch &launch, CUdeviceptr printf_buffer, TreeOfLaunch tree, Textured textured, Use &&use) {
  const KernelCall &call = launch.call;
  const CudaCode::Functions &functions = functions_of(call);
  const uint64_t declared_bytes = functions.declared_local_bytes();
  Parameters parameters(*call.kernel, declared_bytes, call.arguments.data());
  CudaKernel kernel;
  kernel.shared_bytes = shared_bytes_for(call.local_bytes - declared_bytes, declared_bytes);
  Grids grids(launch.range);
  while (Grid *grid = grids.next()) {
    grid->parameter.printf_buffer = printf_buffer;
    grid->parameter.tree = tree.address;
    grid->parameter.command = tree.command;
    if (textured.function) textured.last->grid = grid->parameter;
    const CudaCode::Function &plain = grid->is_whole ? functions.whole : functions.edges;
    kernel.function = (textured.function ? *textured.function : plain).handle;
    kernel.blocks = grid->blocks;
    kernel.threads = grid->threads;
    kernel.parameters = parameters.with(textured.function ? static_cast<void *>(textured.last) : &grid->parameter);
    if (auto used = use(kernel); !used) return used;
  }
  return {};
}

}  // namespace

bool reads_textures(const KernelCall &call) { return !functions_of(call).textures.uses.empty(); }

Result<void> for_each_grid(const Launch &launch, const std::function<Result<void>(const CudaKernel &)> &use) {
  return for_each_grid(launch, 0, {}, {}, use);
}

Result<void> start_grids(const Gpu &gpu, CudaImages &images, const Launch &launch, CUdeviceptr printf_buffer, TreeOfLaunch tree,
                         CUstream stream) {
  const CudaCode::WithTextures &textures = functions_of(launch.call).textures;
  const auto copies_are_kept = textures.uses.empty() ? std::shared_lock<std::shared_mutex>() : images.keep_copies();
  GridWithTextures with_textures;
  const Textured textured{find_textures(launch.call, textures, stream, with_textures), &with_textures};
  return for_each_grid(launch, printf_buffer, tree, textured, [&](const CudaKernel &kernel) {
    const auto [bx, by, bz] = kernel.blocks;
    const auto [tx, ty, tz] = kernel.threads;
    const CUresult result =
        gpu.driver.launch(kernel.function, bx, by, bz, tx, ty, tz, kernel.shared_bytes, stream, kernel.parameters, nullptr);
    return gpu.driver.check(result, CL_OUT_OF_RESOURCES, "the kernel could not be started");
  });
}

Result<AfterStream> issue_launch(const Gpu &gpu, CudaImages &images, PrintfBuffers &printf_buffers, const Launch &launch,
                                 CUstream stream) {
  Result<CUdeviceptr> printf_buffer = 0;
  if (launch.call.kernel->prints) printf_buffer = printf_buffers.take(stream);
  if (!printf_buffer) return fail(printf_buffer);
  if (auto started = start_grids(gpu, images, launch, *printf_buffer, {}, stream); !started) return fail(started);
  if (!*printf_buffer) return AfterStream();
  return AfterStream([&printf_buffers, buffer = *printf_buffer] { return printf_buffers.print(buffer); });
}

}  // namespace upsweep
