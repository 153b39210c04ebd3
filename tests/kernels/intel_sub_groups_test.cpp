// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_intel_subgroups and its extensions for chars, shorts and longs, beside bytes that the host moves.
#include "kernel_runner.h"

#include "../image_desc.h"

#include <climits>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>

namespace upsweep::tests {
namespace {

using Bytes = std::vector<unsigned char>;

struct Element {
  const char *name, *suffix;
  size_t bytes;
  std::vector<size_t> widths;
};
const std::vector<size_t> kBlockWidths = {1, 2, 4, 8}, kAllWidths = {1, 2, 3, 4, 8, 16};
const std::vector<Element> kBlocks = {{"uchar", "_uc", 1, {1, 2, 4, 8, 16}},
                                      {"ushort", "_us", 2, kBlockWidths},
                                      {"uint", "", 4, kBlockWidths},
                                      {"uint", "_ui", 4, kBlockWidths},
                                      {"ulong", "_ul", 8, kBlockWidths}};
const std::vector<Element> kShuffled = {
    {"char", "", 1, kAllWidths}, {"uchar", "", 1, kAllWidths}, {"short", "", 2, kAllWidths}, {"ushort", "", 2, kAllWidths},
    {"int", "", 4, kAllWidths},  {"uint", "", 4, kAllWidths},  {"float", "", 4, kAllWidths}, {"long", "", 8, {1}},
    {"ulong", "", 8, {1}},       {"half", "", 2, {1}},         {"double", "", 8, {1}}};

class IntelSubGroups : public KernelRunner {
protected:
  void SetUp() override {
    KernelRunner::SetUp();
    std::string names(1 << 14, '\0');
    ASSERT_EQ(clGetDeviceInfo(device_, CL_DEVICE_EXTENSIONS, names.size(), names.data(), nullptr), CL_SUCCESS);
    if (names.find("cl_intel_subgroups_long") == std::string::npos) {
      ASSERT_TRUE(tests_a_gpu()) << "CPU devices have the extensions";
      GTEST_SKIP() << "the device does not list cl_intel_subgroups_long";
    }
  }
  void TearDown() override {
    for (cl_mem memory : memory_) clReleaseMemObject(memory);
    KernelRunner::TearDown();
  }

  /// 0: the size that the compiler chooses.
  static std::vector<size_t> sizes() {
    return tests_a_gpu() ? std::vector<size_t>{0, 8, 16, 32} : std::vector<size_t>{0, 4, 8, 16, 32};
  }

  /// All types and widths with the size that the compiler chooses; for required sizes a pair of them.
  static bool is_left_out(size_t size, size_t width) { return size != 0 && width != (size == 4 || size == 16 ? 4 : 1); }

  void build_for(const Element &element, size_t width, size_t size, const std::string &part, const char *kernel) {
    std::string options = std::string("-cl-std=CL3.0 -D") + part + " -DT=" + element.name + " -DSUFFIX=" + element.suffix +
                          " -DWIDTH=" + std::to_string(width);
    if (size != 0) options += " -DSIZE=" + std::to_string(size);
    release();
    build("intel_sub_groups.cl", kernel, options.c_str());
  }
  void use(const char *kernel) {
    if (kernel_) clReleaseKernel(kernel_);
    kernel_ = clCreateKernel(program_, kernel, nullptr);
    ASSERT_NE(kernel_, nullptr) << kernel;
  }
  size_t lanes() { return sub_group_size({{64, 1, 1}, {64, 1, 1}}); }

  Bytes random_bytes(size_t count) {
    Bytes bytes(count);
    for (unsigned char &each : bytes) each = static_cast<unsigned char>(random_());
    return bytes;
  }
  cl_mem buffer(const void *content, size_t bytes) {
    memory_.push_back(
        clCreateBuffer(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, const_cast<void *>(content), nullptr));
    return memory_.back();
  }
  template <typename T>
  cl_mem buffer(const std::vector<T> &content) {
    return buffer(content.data(), content.size() * sizeof(T));
  }
  cl_mem image(const cl_image_format &format, size_t width, size_t height, Bytes &content) {
    const cl_image_desc desc = desc_of(CL_MEM_OBJECT_IMAGE2D, width, height);
    memory_.push_back(
        clCreateImage(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format, &desc, content.data(), nullptr));
    EXPECT_NE(memory_.back(), nullptr);
    return memory_.back();
  }
  Bytes content_of(cl_mem image, size_t width, size_t height, size_t bytes) {
    const size_t origin[3] = {}, region[3] = {width, height, 1};
    Bytes content(bytes);
    EXPECT_EQ(clEnqueueReadImage(queue_, image, CL_TRUE, origin, region, 0, 0, content.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    return content;
  }
  Bytes content_of(cl_mem memory, size_t bytes) {
    Bytes content(bytes);
    EXPECT_EQ(clEnqueueReadBuffer(queue_, memory, CL_TRUE, 0, bytes, content.data(), 0, nullptr, nullptr), CL_SUCCESS);
    return content;
  }
  void launch(size_t global, size_t local) {
    ASSERT_EQ(clEnqueueNDRangeKernel(queue_, kernel_, 1, nullptr, &global, &local, 0, nullptr, nullptr), CL_SUCCESS);
  }

  std::mt19937 random_{20261129};  // NOLINT(cert-msc51-cpp): a test repeats
  std::vector<cl_mem> memory_;
};

/// Calls `move` with the place of each element in memory order by work-items, and in memory order of blocks.
void for_each_element(size_t items, size_t lanes, size_t width, const std::function<void(size_t, size_t)> &move) {
  for (size_t item = 0; item < items; ++item)
    for (size_t i = 0; i < width; ++i) move(item * width + i, item / lanes * lanes * width + i * lanes + item % lanes);
}

TEST_F(IntelSubGroups, GivenBlocksOfBuffers_WhenReadAndWritten_ThenEachComponentIsASubGroupApart) {
  for (const size_t size : sizes())
    for (const Element &element : kBlocks)
      for (const size_t width : element.widths) {
        if (is_left_out(size, width)) continue;
        SCOPED_TRACE(std::string(element.name) + element.suffix + " " + std::to_string(width) + ", size " +
                     std::to_string(size));
        build_for(element, width, size, "BLOCKS", "reads");
        const size_t lanes = this->lanes(), items = 6 * lanes, count = items * width, bytes = element.bytes;
        // "The pointer p must be 32-bit (4-byte) aligned for reads"
        const cl_uint offset = bytes < 4 ? static_cast<cl_uint>(4 / bytes) : 1;
        const Bytes input = random_bytes((count + offset) * bytes);
        for (const char *name : {"reads", "reads_by_item", "writes", "writes_by_item"}) {
          use(name);
          const bool reads = name[0] == 'r';
          Bytes wanted(count * bytes);
          for_each_element(items, lanes, width, [&](size_t by_item, size_t in_block) {
            std::memcpy(&wanted[(reads ? by_item : in_block) * bytes], &input[(offset + (reads ? in_block : by_item)) * bytes],
                        bytes);
          });
          cl_mem output = buffer(Bytes(count * bytes, 0xa5));
          set(0, output);
          set(1, buffer(input));
          set(2, offset);
          launch(items, 3 * lanes);
          EXPECT_EQ(content_of(output, count * bytes), wanted) << name;
        }
      }
}

TEST_F(IntelSubGroups, GivenTwoValuesOfEachWorkItem_WhenShuffled_ThenTheyComeFromTheirWorkItems) {
  for (const size_t size : sizes())
    for (const Element &element : kShuffled)
      for (const size_t width : element.widths) {
        if (is_left_out(size, width)) continue;
        SCOPED_TRACE(std::string(element.name) + std::to_string(width) + ", size " + std::to_string(size));
        build_for(element, width, size, "SHUFFLES", "shuffles");
        const size_t lanes = this->lanes(), items = 4 * lanes, bytes = width * element.bytes;
        std::vector<cl_uint> indices(items);
        for (cl_uint &each : indices) each = static_cast<cl_uint>(random_() % lanes);
        // A NaN may lose its bits in a register, so numbers have a small exponent.
        Bytes input = random_bytes(items * bytes);
        if (std::strchr("fhd", element.name[0]))
          for (size_t i = element.bytes - 1; i < input.size(); i += element.bytes) input[i] &= 0x3f;
        for (cl_int which = 0; which < 4; ++which) {
          Bytes wanted(items * bytes);
          for (size_t item = 0; item < items; ++item) {
            const size_t lane = item % lanes, first = item - lane, index = indices[item];
            const size_t place = which == 0   ? index
                                 : which == 1 ? lane ^ index
                                 : which == 2 ? lane + index
                                              : lane + lanes - index;
            // The second value of item i is the first value of the last item but i.
            const bool is_second = which >= 2 && place >= lanes;
            const size_t source = first + place % lanes;
            std::memcpy(&wanted[item * bytes], &input[(is_second ? items - 1 - source : source) * bytes], bytes);
          }
          cl_mem output = buffer(Bytes(items * bytes, 0xa5));
          set(0, output);
          set(1, buffer(input));
          set(2, buffer(indices));
          set(3, which);
          launch(items, 2 * lanes);
          EXPECT_EQ(content_of(output, items * bytes), wanted) << which;
        }
      }
}

/// The byte that a read of a block returns for (x, y). Beyond an edge it is a byte of the word at the edge.
unsigned char byte_at(const Bytes &image, long row, long rows, long x, long y) {
  const long line = std::clamp(y, 0L, rows - 1);
  const long place = x < 0 ? ((x % 4) + 4) % 4 : x >= row ? row - 4 + x % 4 : x;
  return image[static_cast<size_t>(line * row + place)];
}

class IntelImageBlocks : public IntelSubGroups {
protected:
  struct Format {
    cl_image_format format;
    size_t texel_bytes;
  };
  const std::vector<Format> kFormats = {{{CL_RGBA, CL_UNORM_INT8}, 4},
                                        {{CL_R, CL_UNSIGNED_INT32}, 4},
                                        {{CL_RG, CL_UNSIGNED_INT8}, 2},
                                        {{CL_R, CL_UNSIGNED_INT8}, 1}};

  void SetUp() override {
    IntelSubGroups::SetUp();
    cl_bool has_images = CL_FALSE;
    clGetDeviceInfo(device_, CL_DEVICE_IMAGE_SUPPORT, sizeof has_images, &has_images, nullptr);
    if (!IsSkipped() && !has_images) GTEST_SKIP() << "no images";
  }

  /// Byte coordinates inside the image, at its edges and beyond them. Writes have multiples of four. Blocks in small texels
  /// stay inside.
  std::vector<cl_int2> places(size_t row, size_t rows, size_t block_row, size_t block_rows, bool is_write, bool stays_inside) {
    std::vector<cl_int2> made;
    const auto in = [&](long low, long high) {
      return low + static_cast<long>(random_() % static_cast<unsigned long>(high - low + 1));
    };
    for (int n = 0; n < 24; ++n) {
      const bool inside = stays_inside || n % 3 == 0;
      const long far_x = static_cast<long>(row) - static_cast<long>(block_row), far_y = static_cast<long>(rows - block_rows);
      long x = inside ? in(0, far_x) : in(-70, static_cast<long>(row) + 70);
      if (is_write) x = x < 0 ? -(-x / 4 * 4) : x / 4 * 4;
      if (!is_write && n % 2 == 0 && x >= 0) x = x / 4 * 4;
      const long y = inside ? in(0, far_y) : in(-4, static_cast<long>(rows) + 4);
      made.push_back({{static_cast<cl_int>(x), static_cast<cl_int>(y)}});
    }
    if (!stays_inside) made.push_back({{INT_MAX, INT_MAX}}), made.push_back({{INT_MIN, INT_MIN}});
    return made;
  }

  void check(const Element &element, size_t width, size_t lanes, const Format &format) {
    const size_t row = 4 * (lanes * element.bytes / 4 + 37), rows = 21, texels = row / format.texel_bytes,
                 bytes = element.bytes;
    const Bytes content = random_bytes(row * rows);
    for (const bool is_write : {false, true}) {
      const auto at = places(row, rows, lanes * bytes, width, is_write, format.texel_bytes != 4);
      const size_t items = at.size() * lanes;
      use(is_write ? "image_writes" : "image_reads");
      Bytes copy = content;
      cl_mem image = this->image(format.format, texels, rows, copy);
      const Bytes input = random_bytes(items * width * bytes);
      cl_mem values = buffer(is_write ? input : Bytes(input.size(), 0xa5));
      if (is_write) {
        // Blocks may overlap, so each is a launch.
        Bytes wanted = content;
        for (size_t n = 0; n < at.size(); ++n) {
          set(0, image);
          set(1, buffer(&input[n * lanes * width * bytes], lanes * width * bytes));
          set(2, buffer(&at[n], sizeof at[n]));
          launch(lanes, lanes);
          for_each_byte(at[n], lanes, width, bytes, [&](size_t from, long x, long y) {
            if (x >= 0 && x < static_cast<long>(row) && y >= 0 && y < static_cast<long>(rows))
              wanted[static_cast<size_t>(y) * row + static_cast<size_t>(x)] = input[n * lanes * width * bytes + from];
          });
        }
        EXPECT_EQ(content_of(image, texels, rows, row * rows), wanted);
        continue;
      }
      set(0, values);
      set(1, image);
      set(2, buffer(at));
      launch(items, lanes);
      Bytes wanted(input.size());
      for (size_t n = 0; n < at.size(); ++n)
        for_each_byte(at[n], lanes, width, bytes, [&](size_t to, long x, long y) {
          wanted[n * lanes * width * bytes + to] = byte_at(content, static_cast<long>(row), static_cast<long>(rows), x, y);
        });
      EXPECT_EQ(content_of(values, wanted.size()), wanted);
    }
  }

  static void for_each_byte(const cl_int2 &at, size_t lanes, size_t width, size_t bytes,
                            const std::function<void(size_t, long, long)> &move) {
    for (size_t lane = 0; lane < lanes; ++lane)
      for (size_t i = 0; i < width; ++i)
        for (size_t b = 0; b < bytes; ++b)
          move((lane * width + i) * bytes + b, at.s[0] + static_cast<long>(lane * bytes + b), at.s[1] + static_cast<long>(i));
  }
};

TEST_F(IntelImageBlocks, GivenPlacesInAndAroundImages_WhenBlocksAreReadAndWritten_ThenBytesAreThoseOfTheImage) {
  for (const size_t size : sizes())
    for (const Element &element : kBlocks)
      for (const size_t width : element.widths) {
        if (is_left_out(size, width)) continue;
        build_for(element, width, size, "BLOCKS", "image_reads");
        for (const Format &format : kFormats) {
          SCOPED_TRACE(std::string(element.name) + element.suffix + " " + std::to_string(width) + ", size " +
                       std::to_string(size) + ", texels of " + std::to_string(format.texel_bytes));
          check(element, width, lanes(), format);
        }
      }
}

TEST_F(IntelImageBlocks, GivenAnImageToReadAndWrite_WhenABlockIsUpdated_ThenItHasBoth) {
  build_for(kBlocks[2], 4, 0, "BLOCKS", "image_updates");
  const size_t lanes = this->lanes(), row = 4 * (lanes + 5), rows = 9;
  const Bytes content = random_bytes(row * rows), input = random_bytes(lanes * 16);
  Bytes copy = content, wanted = content;
  cl_mem image = this->image({CL_RGBA, CL_UNORM_INT8}, row / 4, rows, copy);
  const cl_int2 at = {{8, 3}};
  for_each_byte(at, lanes, 4, 4, [&](size_t from, long x, long y) {
    wanted[static_cast<size_t>(y) * row + static_cast<size_t>(x)] ^= input[from];
  });
  set(0, image);
  set(1, buffer(input));
  set(2, buffer(&at, sizeof at));
  launch(lanes, lanes);
  EXPECT_EQ(content_of(image, row / 4, rows, row * rows), wanted);
}

template <typename T>
std::vector<T> collectives(const std::vector<T> &in, size_t local, size_t lanes) {
  std::vector<T> made;
  const T least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
  for (size_t i = 0; i < in.size(); ++i) {
    const size_t group = i / local * local, first = group + (i - group) / lanes * lanes,
                 end = std::min({first + lanes, group + local, in.size()});
    const auto sum = [&](size_t to) { return static_cast<T>(std::accumulate(in.begin() + first, in.begin() + to, 0)); };
    const auto min = [&](size_t to) {
      return std::accumulate(in.begin() + first, in.begin() + to, most, [](T a, T b) { return std::min(a, b); });
    };
    const auto max = [&](size_t to) {
      return std::accumulate(in.begin() + first, in.begin() + to, least, [](T a, T b) { return std::max(a, b); });
    };
    made.push_back(in[first]);
    for (const size_t to : {end, i + 1, i}) made.insert(made.end(), {sum(to), min(to), max(to)});
  }
  return made;
}

template <typename T>
class NarrowCollectives : public IntelSubGroups {};
using NarrowTypes = testing::Types<cl_char, cl_uchar, cl_short, cl_ushort>;
TYPED_TEST_SUITE(NarrowCollectives, NarrowTypes);

TYPED_TEST(NarrowCollectives, GivenNumbers_WhenCombined_ThenResultsWrapInTheirType) {
  const std::string name = std::string(std::is_signed_v<TypeParam> ? "" : "u") + (sizeof(TypeParam) == 1 ? "char" : "short");
  for (const size_t size : this->sizes())
    for (const size_t local : {1, 7, 32, 45}) {
      SCOPED_TRACE(name + ", size " + std::to_string(size) + ", local " + std::to_string(local));
      this->build_for({name.c_str(), "", 0, {}}, 1, size, "NARROW", "collectives");
      std::vector<TypeParam> in(2 * local);
      for (TypeParam &each : in) each = static_cast<TypeParam>(this->random_());
      const auto wanted = collectives(in, local, this->sub_group_size({{local, 1, 1}, {local, 1, 1}}));
      cl_mem output = this->buffer(std::vector<TypeParam>(wanted.size()));
      this->set(0, output);
      this->set(1, this->buffer(in));
      this->launch(in.size(), local);
      std::vector<TypeParam> found(wanted.size());
      const Bytes bytes = this->content_of(output, wanted.size() * sizeof(TypeParam));
      std::memcpy(found.data(), bytes.data(), bytes.size());
      EXPECT_EQ(found, wanted);
    }
}

TEST_F(IntelSubGroups, GivenTheExtensionIsLeftOut_WhenBuilt_ThenItsFunctionsAreUnknown) {
  for (const auto &[extension, part, type] :
       {std::tuple("cl_intel_subgroups", "BLOCKS", "uint"), std::tuple("cl_intel_subgroups_char", "NARROW", "char"),
        std::tuple("cl_intel_subgroups_short", "NARROW", "short"), std::tuple("cl_intel_subgroups_long", "BLOCKS", "ulong")}) {
    const std::string suffix = type == std::string("ulong") ? "_ul" : "";
    const std::string log = failed_build("intel_sub_groups.cl", std::string("-cl-std=CL3.0 -DWIDTH=1 -cl-ext=-") + extension +
                                                                    " -D" + part + " -DT=" + type + " -DSUFFIX=" + suffix);
    EXPECT_NE(log.find("intel_sub_group_"), std::string::npos) << log;
    release();
  }
}

}  // namespace
}  // namespace upsweep::tests
