// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images on a GPU. Kernels access an image's bytes in global memory through a description beside them, or read it through
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

  /// No copy is dropped while the lock is held: from requesting textures to the launch that uses them.
  std::shared_lock<std::shared_mutex> keep_copies() { return std::shared_lock(dropping_); }
  /// Frees the memory of all images' copies; false if there were none. The GPU's context must be the calling thread's.
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

/// The kernel argument of an image is this object's address until the launch replaces it by the description's address.
class CudaImage final : public TargetImage {
public:
  CudaImage(CudaImages &images, std::unique_ptr<DeviceMemory> description, const Image &image, uint64_t address);
  ~CudaImage() override;
  static CudaImage &of(uint64_t argument) { return *reinterpret_cast<CudaImage *>(argument); }

  Result<uint64_t> argument(ImageUse) override { return reinterpret_cast<uint64_t>(this); }
  /// Address of the UpsweepImage in the GPU's memory.
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
