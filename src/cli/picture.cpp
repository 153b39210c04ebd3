// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes pictures with stb_image and stb_image_write.
#include "cli/picture.h"

#include "cli/files/output.h"
#include "cli/stb.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <string>

namespace upsweep::cli {
namespace {

constexpr size_t kMaxBytes = std::numeric_limits<int>::max();  // the library counts in int

struct Release {
  void operator()(void *pixels) const { stbi_image_free(pixels); }
};

Result<std::string> read_bytes(const std::filesystem::path &path) {
  std::error_code error;
  const uintmax_t size = std::filesystem::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  if (error || !file) return fail("cannot read '{}': {}", path.string(), error ? error.message() : std::strerror(errno));
  if (size > kMaxBytes) return fail("'{}' has {} bytes, more than the limit for pictures", path.string(), size);
  std::string bytes(size, '\0');
  if (!file.read(bytes.data(), static_cast<std::streamsize>(size)))
    return fail("cannot read '{}': {}", path.string(), std::strerror(errno));
  return bytes;
}

// The start of a JPEG's first scan, after its segments, one of which may contain a thumbnail JPEG.
size_t first_scan(std::string_view bytes) {
  size_t at = 2;
  while (at + 4 <= bytes.size() && bytes[at] == '\xff' && bytes[at + 1] != '\xda')
    at += 2 + (static_cast<unsigned char>(bytes[at + 2]) << 8 | static_cast<unsigned char>(bytes[at + 3]));
  return at;
}

// Whether the file's end is present: the library fills in missing parts of a truncated JPEG.
bool is_whole(std::string_view bytes) {
  const bool is_jpeg = bytes.starts_with("\xff\xd8");
  return (is_jpeg ? bytes.find("\xff\xd9", first_scan(bytes)) : bytes.find("IEND")) != std::string_view::npos;
}

// The library overruns its arrays for a Huffman table of more than 256 codes. Tables are in segments before the first scan.
// After its start, where 0xff only precedes a marker or 0, they may be anywhere.
bool has_sound_tables(std::string_view bytes) {
  const auto byte = [&](size_t at) { return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0u; };
  const auto is_sound = [&](size_t at) {  // a segment of tables, at its length field
    const size_t end = at + (byte(at) << 8 | byte(at + 1));
    for (at += 2; at < end && at < bytes.size();) {
      size_t codes = 0;
      for (size_t i = 1; i <= 16; ++i) codes += byte(at + i);
      if (codes > 256) return false;
      at += 17 + codes;
    }
    return true;
  };
  bool is_in_scans = false;
  for (size_t at = 0; (at = bytes.find('\xff', at)) != std::string_view::npos;) {
    const unsigned marker = byte(++at);
    if (marker == 0xff) continue;
    if (marker == 0xc4 && !is_sound(at + 1)) return false;
    is_in_scans |= marker == 0xda;
    at += is_in_scans || marker == 0xd8 ? 1 : 1 + (byte(at + 1) << 8 | byte(at + 2));
  }
  return true;
}

template <typename T>
Result<Picture> take(T *pixels, int width, int height, int channels) {
  const std::unique_ptr<T, Release> owner(pixels);
  if (!pixels) return fail("is not a readable picture: {}", stbi_failure_reason());
  Picture picture{static_cast<size_t>(width),
                  static_cast<size_t>(height),
                  static_cast<size_t>(channels),
                  std::numeric_limits<T>::max(),
                  {}};
  picture.values.assign(pixels, pixels + picture.width * picture.height * picture.channels);
  return picture;
}

}  // namespace

Result<Picture> decode_picture(const std::string &bytes, Channels wanted) {
  if (bytes.size() > kMaxBytes) return fail("has {} bytes, more than the limit for pictures", bytes.size());
  if (bytes.starts_with('\xff') && !has_sound_tables(bytes))
    return fail("is damaged: one of its Huffman tables has too many codes");
  const auto *data = reinterpret_cast<const stbi_uc *>(bytes.data());
  const int size = static_cast<int>(bytes.size());
  int width = 0, height = 0, of_file = 0;
  if (!stbi_info_from_memory(data, size, &width, &height, &of_file))
    return fail("is not a readable picture: it is neither PNG nor JPEG, or damaged at its start");
  if (!is_whole(bytes)) return fail("is truncated: its header gives {} x {} pixels, but its end is missing", width, height);
  const int channels = wanted == Channels::kFour ? 4 : of_file;
  if (stbi_is_16_bit_from_memory(data, size))
    return take(stbi_load_16_from_memory(data, size, &width, &height, &of_file, channels), width, height, channels);
  return take(stbi_load_from_memory(data, size, &width, &height, &of_file, channels), width, height, channels);
}

Result<Picture> read_picture(const std::filesystem::path &path, Channels channels) {
  return read_bytes(path).and_then([&](const std::string &bytes) {
    return decode_picture(bytes, channels).map_error([&](const std::string &text) {
      return fmt::format("'{}' {}", path.string(), text);
    });
  });
}

Result<std::string> encode_png(const Picture &picture) {
  const size_t row = picture.width * picture.channels;
  if (picture.height > kMaxBytes / (row + 1))  // each row of a PNG has one additional byte
    return fail("{} x {} pixels are too many for a PNG file", picture.width, picture.height);
  std::vector<unsigned char> pixels(picture.values.begin(), picture.values.end());
  std::string encoded;
  const auto append = [](void *to, void *data, int size) {
    static_cast<std::string *>(to)->append(static_cast<const char *>(data), static_cast<size_t>(size));
  };
  if (!stbi_write_png_to_func(append, &encoded, static_cast<int>(picture.width), static_cast<int>(picture.height),
                              static_cast<int>(picture.channels), pixels.data(), static_cast<int>(row)))
    return fail("not enough memory");
  return encoded;
}

Result<void> write_picture(const std::filesystem::path &path, const Picture &picture) {
  const auto encoded = encode_png(picture);
  if (!encoded) return fail("cannot write '{}': {}", path.string(), encoded.error());
  const auto file = OutputFile::create(path);
  if (!file) return Failure(file.error());
  const auto written = (*file)->write(0, encoded->data(), encoded->size());
  return written.and_then([&] { return (*file)->finish(); });
}

}  // namespace upsweep::cli
