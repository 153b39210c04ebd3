// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The textures of an image: one texture object per sampler that reads it. A texture reads the rows in memory, or a copy of the
// texels in a CUDA array, whose tiles are faster to read across rows.
#ifndef UPSWEEP_TARGETS_CUDA_IMAGE_TEXTURES_H
#define UPSWEEP_TARGETS_CUDA_IMAGE_TEXTURES_H

#include "runtime/objects/image.h"
#include "targets/cuda/cuda_memory.h"
#include "targets/cuda/texture_abi.h"
#include "targets/cuda/texture_formats.h"
#include <mutex>
#include <vector>

namespace upsweep {

class ImageTextures {
public:
  /// `address`: the image's address in the GPU's memory.
  ImageTextures(const Gpu &gpu, CudaMemory &memory, Marks &marks, const Image &image, uint64_t address);
  ~ImageTextures();
  ImageTextures(const ImageTextures &) = delete;
  ImageTextures &operator=(const ImageTextures &) = delete;

  /// The texture through which the next kernel on `stream` reads the image with a sampler of these bits; empty if the kernel
  /// must read it by code. As long as there is memory, this depends only on the image and the sampler. The GPU's context must
  /// be the calling thread's, and the image's newest bytes must be in the GPU's memory.
  std::optional<UpsweepTexture> texture(uint32_t sampler, CUstream stream);

  bool has_copy();
  /// Frees the copy's memory when no work uses it any more. Later reads may make a new copy.
  void drop_copy();

private:
  struct Object {
    uint32_t sampler;
    CUtexObject handle;  ///< 0: the CUDA driver has rejected it
  };

  bool has_rows() const;
  CudaArrayDescription array_description() const;
  bool make_copy_locked();
  bool update_copy_locked(CUstream stream);
  CUtexObject object_locked(std::vector<Object> &objects, const CudaTexels &texels, uint32_t sampler);
  CudaTexels rows() const;
  void destroy(std::vector<Object> &objects);

  const Gpu &gpu_;
  CudaMemory &memory_;
  Marks &marks_;
  const Image &image_;
  const uint64_t address_;
  const std::optional<TextureFormat> format_;
  UpsweepTexture description_{};
  std::mutex mutex_;  ///< guards the members below
  std::vector<Object> row_objects_;
  std::vector<Object> copy_objects_;
  std::unique_ptr<CudaMemory::Array> copy_;
  bool has_copy_failed_ = false;
  uint64_t copied_writes_ = 0;  ///< Image::num_writes() when the copy was made
  Ref<Mark> copied_;            ///< after the copy in `copied_on_`; null before the first copy
  CUstream copied_on_ = nullptr;
  uint64_t read_writes_ = 0;  ///< Image::num_writes() at the counted reads
  uint32_t num_reads_ = 0;
};

}  // namespace upsweep
#endif
