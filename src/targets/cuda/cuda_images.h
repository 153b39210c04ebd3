// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images on a GPU: kernels read and write an image's bytes in global memory, by a description beside them.
#ifndef UPSWEEP_TARGETS_CUDA_CUDA_IMAGES_H
#define UPSWEEP_TARGETS_CUDA_CUDA_IMAGES_H

#include "runtime/memory/target_images.h"
#include "runtime/target.h"

namespace upsweep {

class CudaImages final : public TargetImages {
public:
  explicit CudaImages(Target &target) : target_(target) {}
  Result<std::unique_ptr<TargetImage>> open(Image &image) override;

private:
  Target &target_;
};

}  // namespace upsweep
#endif
