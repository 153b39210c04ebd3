// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Descriptions in the GPU's memory.
#include "targets/cuda/cuda_images.h"
#include "runtime/memory/target_memory.h"
#include "runtime/objects/image.h"
#include "runtime/objects/image_description.h"

namespace upsweep {
namespace {

class CudaImage final : public TargetImage {
public:
  explicit CudaImage(std::unique_ptr<DeviceMemory> description) : description_(std::move(description)) {}
  Result<uint64_t> argument(ImageUse) override { return description_->address(); }

private:
  std::unique_ptr<DeviceMemory> description_;
};

}  // namespace

Result<std::unique_ptr<TargetImage>> CudaImages::open(Image &image) {
  auto data = image.address_on(target_);
  if (!data) return fail(data);
  const UpsweepImage description = describe(image, *data);
  auto memory = target_.memory()->allocate(sizeof description, CL_MEM_READ_ONLY);
  if (!memory) return fail(memory);
  if (auto done = target_.memory()->upload(**memory, 0, &description, sizeof description); !done) return fail(done);
  return std::make_unique<CudaImage>(*std::move(memory));
}

}  // namespace upsweep
