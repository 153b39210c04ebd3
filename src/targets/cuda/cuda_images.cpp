// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Descriptions of images in the GPU's memory, and the memory of the textures' copies.
#include "targets/cuda/cuda_images.h"
#include "runtime/memory/target_memory.h"
#include "runtime/objects/image_description.h"

namespace upsweep {

CudaImage::CudaImage(CudaImages &images, std::unique_ptr<DeviceMemory> description, const Image &image, uint64_t address)
    : images_(images), description_(std::move(description)), description_address_(description_->address()),
      textures_(images.gpu_, images.memory_, images.marks_, image, address) {
  std::lock_guard lock(images_.mutex_);
  images_.open_.push_back(this);
}

CudaImage::~CudaImage() {
  std::lock_guard lock(images_.mutex_);
  std::erase(images_.open_, this);
}

Result<std::unique_ptr<TargetImage>> CudaImages::open(Image &image) {
  auto data = image.address_on(target_);
  if (!data) return fail(data);
  const UpsweepImage description = describe(image, *data);
  auto memory = memory_.allocate(sizeof description, CL_MEM_READ_ONLY);
  if (!memory) return fail(memory);
  if (auto done = memory_.upload(**memory, 0, &description, sizeof description); !done) return fail(done);
  return std::make_unique<CudaImage>(*this, *std::move(memory), image, *data);
}

bool CudaImages::drop_copies() {
  std::unique_lock no_launches(dropping_);
  std::lock_guard lock(mutex_);
  bool has_copies = false;
  for (CudaImage *image : open_) has_copies |= image->textures().has_copy();
  // Launched kernels may still read the copies.
  if (!has_copies || gpu_.driver.synchronize_context() != 0) return false;
  for (CudaImage *image : open_) image->textures().drop_copy();
  return true;
}

}  // namespace upsweep
