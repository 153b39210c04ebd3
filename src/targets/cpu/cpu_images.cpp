// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Descriptions of images for kernels.
#include "targets/cpu/cpu_images.h"
#include "runtime/objects/image.h"
#include "runtime/objects/image_description.h"

namespace upsweep {
namespace {

class CpuImage final : public TargetImage {
public:
  explicit CpuImage(const UpsweepImage &description) : description_(description) {}
  Result<uint64_t> argument(ImageUse) override { return reinterpret_cast<uint64_t>(&description_); }

private:
  alignas(64) const UpsweepImage description_;
};

}  // namespace

Result<std::unique_ptr<TargetImage>> CpuImages::open(Image &image) {
  return image.host().map([&](const char *data) -> std::unique_ptr<TargetImage> {
    return std::make_unique<CpuImage>(describe(image, reinterpret_cast<uint64_t>(data)));
  });
}

}  // namespace upsweep
