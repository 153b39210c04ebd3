// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Textures read the image's rows in memory, or a copy in a CUDA array. Times of reads of rows were measured on an H100,
// relative to reads of an array. Kernels that read and write one texel take 0.9 to 1.05 of the time. Rotated reads take 1.07
// to 1.4, and random reads with a filter 1.5. The copy to an array takes as long as two such kernels.
#include "targets/cuda/image_textures.h"
#include "base/options.h"
#include "base/sampler_bits.h"
#include "runtime/objects/image_description.h"
#include <algorithm>

namespace upsweep {
namespace {

/// A copy is made after this many launches have read the rows since the last write: an image read this often is likely to be
/// read again.
constexpr uint32_t kReadsOfRows = 2;
constexpr unsigned kLayered = 1;                          // CUDA_ARRAY3D_LAYERED
constexpr unsigned kMemoryOfArray = 3, kMemoryOfGpu = 2;  // CU_MEMORYTYPE_ARRAY and _DEVICE
constexpr uint32_t kPlainBits =
    UPSWEEP_SAMPLER_NORMALIZED | UPSWEEP_SAMPLER_ADDRESS_MASK | UPSWEEP_SAMPLER_NEAREST | UPSWEEP_SAMPLER_LINEAR;

UpsweepTexture describe_texture(const Image &image, const TextureFormat &format) {
  const UpsweepImage description = describe(image, 0);
  return {.handle = 0,
          .width = description.width,
          .height = description.height,
          .depth = image.shape().type->is_array ? description.layers : description.depth,
          .order = format.order,
          .is_opaque = format.is_opaque,
          .border_alpha = description.border_alpha_one};
}

}  // namespace

ImageTextures::ImageTextures(const Gpu &gpu, CudaMemory &memory, Marks &marks, const Image &image, uint64_t address)
    : gpu_(gpu), memory_(memory), marks_(marks), image_(image), address_(address), format_(texture_format(image.format())) {
  if (format_) description_ = describe_texture(image, *format_);
}

ImageTextures::~ImageTextures() {
  CurrentContext current(gpu_);
  destroy(row_objects_);
  destroy(copy_objects_);
}

void ImageTextures::destroy(std::vector<Object> &objects) {
  for (const Object &object : objects)
    if (object.handle) gpu_.driver.destroy_texture(object.handle);
  objects.clear();
}

/// Whether textures can read rows in memory. The CUDA driver rejects bases and pitches with insufficient alignment for texture
/// units.
bool ImageTextures::has_rows() const {
  return image_.type() == CL_MEM_OBJECT_IMAGE2D || image_.type() == CL_MEM_OBJECT_IMAGE1D;
}

CudaTexels ImageTextures::rows() const {
  CudaTexels texels;
  texels.type = CudaTexels::kRows;
  texels.rows = {.address = address_,
                 .format = format_->format,
                 .channels = format_->channels,
                 .width = description_.width,
                 .height = description_.height,
                 .pitch = image_.shape().row_pitch};
  // The pitch of a single row is checked although it is not used.
  if (description_.height == 1) texels.rows.pitch = (texels.rows.pitch + 511) / 512 * 512;
  return texels;
}

CudaArrayDescription ImageTextures::array_description() const {
  CudaArrayDescription array{.width = description_.width,
                             .height = description_.height,
                             .depth = 0,
                             .format = format_->format,
                             .channels = format_->channels};
  if (image_.type() == CL_MEM_OBJECT_IMAGE1D_ARRAY) array.height = 0;
  if (image_.type() == CL_MEM_OBJECT_IMAGE3D || image_.shape().type->is_array) array.depth = description_.depth;
  if (image_.shape().type->is_array) array.flags = kLayered;
  return array;
}

CUtexObject ImageTextures::object_locked(std::vector<Object> &objects, const CudaTexels &texels, uint32_t sampler) {
  const auto known = std::ranges::find(objects, sampler, &Object::sampler);
  if (known != objects.end()) return known->handle;
  CUtexObject handle = 0;
  const std::optional<CudaSampler> description = texture_sampler(image_.format(), sampler);
  if (!description || gpu_.driver.create_texture(&handle, &texels, &*description, nullptr) != 0) handle = 0;
  objects.push_back({sampler, handle});
  return handle;
}

bool ImageTextures::make_copy_locked() {
  if (copy_ || has_copy_failed_) return copy_ != nullptr;
  const ImageLevel &level = image_.levels()[0];
  const bool has_whole_rows = level.row_pitch != 0 && level.slice_pitch % level.row_pitch == 0;
  if (has_whole_rows) copy_ = memory_.allocate_array(array_description());
  has_copy_failed_ = !copy_;
  return copy_ != nullptr;
}

/// Copies the texels in the stream's order if they have been written since the last copy; otherwise makes the stream wait for
/// another stream's copy.
bool ImageTextures::update_copy_locked(CUstream stream) {
  const uint64_t writes = image_.num_writes();
  if (copied_ && copied_writes_ == writes) {
    if (stream != copied_on_ && !copied_->is_over()) return copied_->hold_back(stream).has_value();
    return true;
  }
  const ImageLevel &level = image_.levels()[0];
  const auto [width, height, depth] = level.extent;
  const bool rows_are_layers = image_.type() == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  CudaCopy3D copy;
  copy.from = {.memory_type = kMemoryOfGpu,
               .device = address_,
               .pitch = level.row_pitch,
               .height = rows_are_layers ? 1 : level.slice_pitch / level.row_pitch};
  copy.to = {.memory_type = kMemoryOfArray, .array = copy_->handle()};
  copy.width = width * image_.format().texel_bytes();
  copy.height = rows_are_layers ? 1 : height;
  copy.depth = rows_are_layers ? height : depth;
  // Created before the copy, since nothing may fail after it.
  Ref<Mark> copied = marks_.make(false);
  if (gpu_.driver.copy_3d(&copy, stream) != 0) return false;
  copied->record(stream);
  copied_ = std::move(copied);
  copied_on_ = stream;
  copied_writes_ = writes;
  return true;
}

std::optional<UpsweepTexture> ImageTextures::texture(uint32_t sampler, CUstream stream) {
  sampler &= kPlainBits;
  // Texture units are inexact in filters, and in sRGB colours even without a filter (docs/decisions/textures.md).
  const bool is_inexact = (sampler & UPSWEEP_SAMPLER_LINEAR) || image_.format().is_srgb();
  if (!format_ || (options().exact_filter && is_inexact)) return std::nullopt;
  if (!texture_sampler(image_.format(), sampler)) return std::nullopt;
  std::lock_guard lock(mutex_);
  const uint64_t writes = image_.num_writes();
  if (std::exchange(read_writes_, writes) != writes) {
    num_reads_ = 0;
    has_copy_failed_ = false;
  }
  UpsweepTexture found = description_;
  if (has_rows()) found.handle = object_locked(row_objects_, rows(), sampler);
  const bool wants_copy = !found.handle || num_reads_ >= kReadsOfRows;
  num_reads_ += num_reads_ < kReadsOfRows;
  if (wants_copy && make_copy_locked() && update_copy_locked(stream)) {
    CudaTexels texels;
    texels.type = CudaTexels::kArray;
    texels.array = copy_->handle();
    if (const CUtexObject handle = object_locked(copy_objects_, texels, sampler)) found.handle = handle;
  }
  if (!found.handle) return std::nullopt;
  return found;
}

bool ImageTextures::has_copy() {
  std::lock_guard lock(mutex_);
  return copy_ != nullptr;
}

void ImageTextures::drop_copy() {
  std::lock_guard lock(mutex_);
  destroy(copy_objects_);
  copy_ = nullptr;
  copied_ = nullptr;
  num_reads_ = 0;
}

}  // namespace upsweep
