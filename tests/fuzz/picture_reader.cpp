// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any bytes as a picture: pixels, or an error that says something.
#include "cli/picture.h"
#include "cli/stb.h"

#include <cstdlib>

using namespace upsweep::cli;

namespace {

constexpr long long kMostPixels = 1 << 20;  // more take long, and find no more

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  int width = 0, height = 0, channels = 0;
  if (stbi_info_from_memory(data, static_cast<int>(size), &width, &height, &channels) &&
      static_cast<long long>(width) * height > kMostPixels)
    return 0;
  const auto picture = decode_picture({reinterpret_cast<const char *>(data), size}, Channels::kOfFile);
  if (!picture) {
    if (picture.error().empty()) std::abort();
    return 0;
  }
  if (picture->values.size() != picture->width * picture->height * picture->channels) std::abort();
  return 0;
}
