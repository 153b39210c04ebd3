// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any bytes as a picture: pixels, or an error with a text.
#include "cli/picture.h"

#include <cstdlib>

using namespace upsweep::cli;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const auto picture = decode_picture({reinterpret_cast<const char *>(data), size}, Channels::kOfFile);
  if (!picture) {
    if (picture.error().empty()) std::abort();
    return 0;
  }
  if (picture->values.size() != picture->width * picture->height * picture->channels) std::abort();
  return 0;
}
