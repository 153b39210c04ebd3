// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pictures in files: reading returns the pixels that were written, and damaged files are refused.
#include "cli/picture.h"

#include "cli/stb.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <random>
#include <string>
#include <unistd.h>

namespace upsweep::cli {
namespace {

class PictureTest : public testing::Test {
protected:
  PictureTest() { std::filesystem::create_directories(folder_); }
  ~PictureTest() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path path(const std::string &name) const { return folder_ / name; }
  std::filesystem::path store(const std::string &name, const std::string &bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }
  static std::string bytes_of(const std::filesystem::path &file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  // The message of a failure, or an empty text.
  static std::string failure_of(const Result<Picture> &picture) { return picture ? Error() : picture.error(); }

  static Picture random_picture(size_t width, size_t height, size_t channels) {
    std::mt19937 random(7);
    Picture picture{width, height, channels, 255, {}};
    picture.values.resize(width * height * channels);
    for (uint16_t &value : picture.values) value = static_cast<uint16_t>(random() % 256);
    return picture;
  }
  static std::string jpeg(int width, int height) {
    std::string bytes;
    const std::vector<unsigned char> pixels(static_cast<size_t>(3 * width * height), 200);
    stbi_write_jpg_to_func(
        [](void *to, void *data, int size) { static_cast<std::string *>(to)->append(static_cast<char *>(data), size); }, &bytes,
        width, height, 3, pixels.data(), 90);
    return bytes;
  }

private:
  std::filesystem::path folder_ = std::filesystem::temp_directory_path() / fmt::format("upsweep_pictures_{}", getpid());
};

TEST_F(PictureTest, GivenEachNumberOfChannels_WhenWrittenAndRead_ThenPixelsAreTheSame) {
  for (size_t channels = 1; channels <= 4; ++channels) {
    SCOPED_TRACE(channels);
    const Picture written = random_picture(13, 5, channels);
    ASSERT_TRUE(write_picture(path("a.png"), written));
    const auto read = read_picture(path("a.png"));
    ASSERT_TRUE(read) << read.error();
    EXPECT_EQ(read->width, 13u);
    EXPECT_EQ(read->height, 5u);
    EXPECT_EQ(read->most, 255u);
    ASSERT_EQ(read->values.size(), 4u * 13 * 5);
    for (size_t i = 0; i < size_t{13} * 5; ++i) {
      const uint16_t *from = &written.values[i * channels], *to = &read->values[i * 4];
      const bool is_grey = channels < 3;
      EXPECT_EQ(to[0], from[0]);
      EXPECT_EQ(to[1], from[is_grey ? 0 : 1]);
      EXPECT_EQ(to[2], from[is_grey ? 0 : 2]);
      EXPECT_EQ(to[3], channels % 2 == 0 ? from[channels - 1] : 255);
    }
  }
}

TEST_F(PictureTest, GivenAJpeg_WhenRead_ThenPixelsAreNearAndTruncationIsAnError) {
  const std::string whole = jpeg(40, 24);
  const auto picture = read_picture(store("a.jpg", whole));
  ASSERT_TRUE(picture) << picture.error();
  EXPECT_EQ(picture->width, 40u);
  EXPECT_EQ(picture->height, 24u);
  for (size_t i = 0; i < picture->values.size(); ++i) EXPECT_NEAR(picture->values[i], i % 4 == 3 ? 255 : 200, 3);
  for (size_t length = 0; length < whole.size(); length += 7)
    EXPECT_FALSE(read_picture(store("a.jpg", whole.substr(0, length)))) << length;
}

// Cameras put a small JPEG, with its end marker, into a segment of the large JPEG.
TEST_F(PictureTest, GivenAJpegInAJpeg_WhenTheOuterOneIsTruncated_ThenAnError) {
  const std::string outer = jpeg(40, 24), inner = jpeg(8, 8);
  const size_t length = inner.size() + 2;
  const std::string segment =
      std::string("\xff\xe1") + static_cast<char>(length >> 8) + static_cast<char>(length & 0xff) + inner;
  const std::string both = outer.substr(0, 2) + segment + outer.substr(2);
  EXPECT_EQ(failure_of(read_picture(store("a.jpg", both))), "");
  EXPECT_NE(failure_of(read_picture(store("a.jpg", both.substr(0, both.size() - 20)))).find("is truncated"), std::string::npos);
}

TEST_F(PictureTest, GivenATruncatedPng_WhenRead_ThenAnErrorAtEachLength) {
  ASSERT_TRUE(write_picture(path("a.png"), random_picture(13, 5, 4)));
  const std::string whole = bytes_of(path("a.png"));
  // Only the name of the last chunk matters, not its checksum of four bytes.
  for (size_t length = 0; length < whole.size() - 4; ++length)
    EXPECT_FALSE(read_picture(store("b.png", whole.substr(0, length)))) << length;
}

TEST_F(PictureTest, GivenDamagedFiles_WhenRead_ThenNothingElseThanAnErrorOrAPicture) {
  ASSERT_TRUE(write_picture(path("a.png"), random_picture(13, 5, 3)));
  std::mt19937 random(11);
  for (const std::string &whole : {bytes_of(path("a.png")), jpeg(40, 24)}) {
    for (int i = 0; i < 500; ++i) {
      std::string damaged = whole;
      // Only behind the sizes: changed sizes may ask for gigabytes.
      for (int flips = 0; flips < 3; ++flips) damaged[30 + random() % (damaged.size() - 30)] = static_cast<char>(random());
      if (const auto picture = read_picture(store("b", damaged)))
        EXPECT_EQ(picture->values.size(), picture->width * picture->height * 4);
    }
  }
}

TEST_F(PictureTest, GivenHugeSizes_WhenRead_ThenAnErrorWithoutTheMemory) {
  ASSERT_TRUE(write_picture(path("a.png"), random_picture(13, 5, 4)));
  const std::string whole = bytes_of(path("a.png"));
  for (const char *size : {"\x00\xff\xff\xff", "\x7f\xff\xff\xff", "\xff\xff\xff\xff"}) {
    std::string huge = whole;
    huge.replace(16, 4, size, 4).replace(20, 4, size, 4);
    EXPECT_FALSE(read_picture(store("b.png", huge)));
  }
}

TEST_F(PictureTest, GivenOtherFiles_WhenRead_ThenTheMessageNamesTheFileAndTheReason) {
  EXPECT_NE(failure_of(read_picture(path("none.png"))).find("No such file"), std::string::npos);
  EXPECT_NE(failure_of(read_picture(path(""))).find("directory"), std::string::npos);
  for (const char *text : {"", "some text", "BM and more", "GIF89a"})
    EXPECT_NE(failure_of(read_picture(store("a.png", text))).find("a.png' is not a readable picture"), std::string::npos);
}

TEST_F(PictureTest, GivenPlacesThatCannotBeWritten_WhenWritten_ThenTheMessageSaysWhy) {
  const Picture picture = random_picture(3, 3, 4);
  for (const auto &[file, why] : {std::pair("/nowhere/a.png", "No such file"), std::pair("/dev/full", "not a regular file")}) {
    const auto written = write_picture(file, picture);
    ASSERT_FALSE(written) << file;
    EXPECT_NE(written.error().find(why), std::string::npos) << written.error();
  }
  const auto written = write_picture("/dev/null", Picture{1 << 20, 1 << 20, 4, 255, {}});
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().find("too many for a PNG file"), std::string::npos) << written.error();
}

TEST_F(PictureTest, GivenAHuffmanTableOfTooManyCodes_WhenReading_ThenItIsRefused) {
  std::string bytes = jpeg(8, 8);
  const size_t table = bytes.find("\xff\xc4");
  ASSERT_NE(table, std::string::npos);
  for (size_t length = 1; length <= 16; ++length) bytes[table + 4 + length] = '\xff';  // codes of each length
  EXPECT_NE(failure_of(read_picture(store("a.jpg", bytes))).find("too many codes"), std::string::npos);
  // In a comment before the tables the same bytes are none.
  const std::string sound = jpeg(8, 8);
  const std::string comment = std::string("\xff\xfe\x00\x16\xff\xc4", 6) + std::string(18, '\xff');
  EXPECT_EQ(failure_of(read_picture(store("b.jpg", sound.substr(0, 2) + comment + sound.substr(2)))), "");
}

}  // namespace
}  // namespace upsweep::cli
