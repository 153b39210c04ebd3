// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// .npy files. The test writes them byte by byte as NumPy documents the format, so that reader and writer do not check each
// other.
#include "cli/npy.h"

#include <cstdint>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <unistd.h>

namespace upsweep::cli {
namespace {

class npy : public testing::Test {
protected:
  // Each test case has its own file, since ctest runs the cases side by side.
  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() /
      fmt::format("upsweep-{}-{}.npy", testing::UnitTest::GetInstance()->current_test_info()->name(), getpid());

  void TearDown() override { std::filesystem::remove(path_); }

  void write(std::string_view bytes) const {
    std::ofstream(path_, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }

  // A file of format 1.0.
  void write(std::string_view header, std::string_view data) const {
    std::string bytes("\x93NUMPY\x01\x00", 8);
    bytes += static_cast<char>(header.size() & 0xff);
    bytes += static_cast<char>(header.size() >> 8);
    write(bytes.append(header).append(data));
  }

  void expect_failure(std::string_view part) const {
    const auto array = read_npy(path_);
    ASSERT_FALSE(array);
    EXPECT_NE(array.error().find(part), std::string::npos) << array.error();
    EXPECT_NE(array.error().find(path_.string()), std::string::npos) << array.error();
  }
};

TEST_F(npy, GivenAMatrixOfShorts_WhenReading_ThenShapeAndValuesAreThere) {
  write("{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }\n", std::string_view("\1\0\2\0\3\0\4\0\5\0\6\1", 12));
  const auto array = read_npy(path_);
  ASSERT_TRUE(array) << array.error();
  EXPECT_EQ(array->scalar, Scalar::Short);
  EXPECT_EQ(array->shape, (std::vector<size_t>{2, 3}));
  int16_t last = 0;
  std::memcpy(&last, &array->bytes[10], 2);
  EXPECT_EQ(last, 0x106);
}

TEST_F(npy, GivenFormatTwoAndKeysInAnyOrder_WhenReading_ThenItIsUnderstood) {
  const std::string header = R"({"shape": (1,), "fortran_order": False, "descr": "|u1"})";
  write(std::string("\x93NUMPY\x02\x00", 8) + static_cast<char>(header.size()) + std::string(3, '\0') + header + "\x07");
  const auto array = read_npy(path_);
  ASSERT_TRUE(array) << array.error();
  EXPECT_EQ(array->scalar, Scalar::UChar);
  EXPECT_EQ(array->bytes, std::vector<std::byte>{std::byte{7}});
}

TEST_F(npy, GivenAScalar_WhenReading_ThenTheShapeIsEmpty) {
  write("{'descr': '<f4', 'fortran_order': False, 'shape': (), }", std::string_view("\0\0\0\x3f", 4));
  const auto array = read_npy(path_);
  ASSERT_TRUE(array) << array.error();
  EXPECT_TRUE(array->shape.empty());
  EXPECT_EQ(array->bytes.size(), 4u);
}

TEST_F(npy, GivenDamagedFiles_WhenReading_ThenTheMessageSaysWhatIsWrong) {
  expect_failure("No such file");
  write("");
  expect_failure("signature");
  write("PK\3\4 an archive");
  expect_failure("signature");
  write(std::string_view("\x93NUMPY\x01\x00\x76", 9));
  expect_failure("inside its header");
  write("{'descr': '<i4', 'fortran_order': False, 'shape': (4,), }", "only 12 byte");
  expect_failure("announces 16 bytes of data, but it has 12");
  write("{'descr': '<i4', 'fortran_order': False, 'shape': (99999999999999, 99999999999999), }", "");
  expect_failure("more bytes than can exist");
}

TEST_F(npy, GivenArraysThatOpenCLHasNot_WhenReading_ThenTheMessageSaysSo) {
  write("{'descr': '>i4', 'fortran_order': False, 'shape': (1,), }", "abcd");
  expect_failure("little-endian");
  write("{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }", "abcdefgh");
  expect_failure("'<c8'");
  write("{'descr': [('x', '<i4')], 'fortran_order': False, 'shape': (1,), }", "abcd");
  expect_failure("records");
  write("{'descr': '<i4', 'fortran_order': True, 'shape': (1, 1), }", "abcd");
  expect_failure("Fortran");
}

TEST_F(npy, GivenAnArray_WhenWriting_ThenTheBytesAreNumPys) {
  const NpyArray array{Scalar::UChar, {3, 1}, {std::byte{1}, std::byte{2}, std::byte{3}}};
  ASSERT_TRUE(write_npy(path_, array));
  std::ifstream file(path_, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(bytes.substr(0, 10), std::string("\x93NUMPY\x01\x00\x76\x00", 10));  // 118 bytes of header end at 128
  EXPECT_TRUE(bytes.substr(10).starts_with("{'descr': '|u1', 'fortran_order': False, 'shape': (3, 1, ), }"));
  EXPECT_EQ(bytes.substr(127), "\n\1\2\3");
}

TEST_F(npy, GivenAFolderThatDoesNotExist_WhenWriting_ThenItFails) { EXPECT_FALSE(write_npy("/nonexistent/x.npy", NpyArray{})); }

}  // namespace
}  // namespace upsweep::cli
