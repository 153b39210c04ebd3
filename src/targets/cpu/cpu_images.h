// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images on the CPU: kernels access an image's host memory through its description (image_abi.h).
#ifndef UPSWEEP_TARGETS_CPU_CPU_IMAGES_H
#define UPSWEEP_TARGETS_CPU_CPU_IMAGES_H

#include "runtime/memory/target_images.h"

namespace upsweep {

class CpuImages final : public TargetImages {
public:
  Result<std::unique_ptr<TargetImage>> open(Image &image) override;
};

}  // namespace upsweep
#endif
