// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pictures in files: PNG and JPEG are read, PNG is written.
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
  unsigned most = 255;  // the value of full intensity: 255, or 65535 of a file with 16 bits a channel
  std::vector<uint16_t> values;
};

// kFour: a file with fewer channels has grey three times, and full alpha.
enum class Channels { kFour, kOfFile };
Result<Picture> read_picture(const std::filesystem::path &path, Channels channels = Channels::kFour);

// A picture from the bytes of its file. The failure continues a sentence that begins with the file's name.
Result<Picture> decode_picture(const std::string &bytes, Channels channels);

// A PNG of 8 bits a channel.
Result<std::string> encode_png(const Picture &picture);

// As a PNG of 8 bits a channel. A file that is there is replaced once the picture is encoded.
Result<void> write_picture(const std::filesystem::path &path, const Picture &picture);

}  // namespace upsweep::cli
#endif
