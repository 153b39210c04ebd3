// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images on a GPU: kernels read and write an image's bytes in global memory, by a description beside them, or read it by
// textures.
#ifndef UPSWEEP_TARGETS_CUDA_CUDA_IMAGES_H
#define UPSWEEP_TARGETS_CUDA_CUDA_IMAGES_H

#include "runtime/memory/target_images.h"
#include "runtime/target.h"
#include "targets/cuda/image_textures.h"
#include <mutex>
#include <shared_mutex>
#include <vector>

namespace upsweep {

class CudaImage;

class CudaImages final : public TargetImages {
public:
  CudaImages(const Gpu &gpu, Target &target, CudaMemory &memory, Marks &marks)
      : gpu_(gpu), target_(target), memory_(memory), marks_(marks) {}
  Result<std::unique_ptr<TargetImage>> open(Image &image) override;

  /// While it lives no copy is dropped: from asking for textures to the launch that uses them.
  std::shared_lock<std::shared_mutex> keep_copies() { return std::shared_lock(dropping_); }
  /// Gives the memory of all images' copies back; false when there were none. The GPU's context is the calling thread's.
  bool drop_copies();

private:
  friend class CudaImage;

  const Gpu &gpu_;
  Target &target_;
  CudaMemory &memory_;
  Marks &marks_;
  std::shared_mutex dropping_;
  std::mutex mutex_;  ///< guards the member below
  std::vector<CudaImage *> open_;
};

/// A kernel's image argument is the address of this, until the launch puts that of the description in its place.
class CudaImage final : public TargetImage {
public:
  CudaImage(CudaImages &images, std::unique_ptr<DeviceMemory> description, const Image &image, uint64_t address);
  ~CudaImage() override;
  static CudaImage &of(uint64_t argument) { return *reinterpret_cast<CudaImage *>(argument); }

  Result<uint64_t> argument(ImageUse) override { return reinterpret_cast<uint64_t>(this); }
  /// Of the UpsweepImage in the GPU's memory.
  uint64_t &description() { return description_address_; }
  ImageTextures &textures() { return textures_; }

private:
  CudaImages &images_;
  std::unique_ptr<DeviceMemory> description_;
  uint64_t description_address_;
  ImageTextures textures_;
};

}  // namespace upsweep
#endif
