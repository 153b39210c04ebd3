// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pictures in files: reads PNG and JPEG, writes PNG.
#ifndef UPSWEEP_CLI_PICTURE_H
#define UPSWEEP_CLI_PICTURE_H

#include "cli/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace upsweep::cli {

// Rows from top to bottom, pixels from left to right.
struct Picture {
  size_t width = 0;
  size_t height = 0;
  size_t channels = 4;  // 1: grey, 2: grey and alpha, 3: red, green, blue, 4: with alpha
  unsigned most = 255;  // full intensity: 255, or 65535 for a file with 16 bits per channel
  std::vector<uint16_t> values;
};

// kFour: fewer channels are expanded, grey to three equal colours and missing alpha to full.
enum class Channels { kFour, kOfFile };
Result<Picture> read_picture(const std::filesystem::path &path, Channels channels = Channels::kFour);

// Decodes a picture from the bytes of its file. The error continues a sentence that starts with the file's name.
Result<Picture> decode_picture(const std::string &bytes, Channels channels);

// Encodes a PNG of 8 bits per channel.
Result<std::string> encode_png(const Picture &picture);

// Writes a PNG of 8 bits per channel. Replaces an existing file once the picture is encoded.
Result<void> write_picture(const std::filesystem::path &path, const Picture &picture);

}  // namespace upsweep::cli
#endif
