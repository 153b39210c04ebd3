// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Summed-area tables of images against plain loops, and box filters against the library for CPU threads, whose bits they have.
#include "check.h"

#include <upsweep/cpu/summed_area.h>
#include <upsweep/opencl/summed_area.h>

#include <cmath>
#include <span>

namespace upsweep::opencl::test {

namespace {

cpu::image_shape cpu_shape(const image_shape &of) {
  return {of.height, of.width, of.channels, of.in_pitch, of.out_pitch, of.images, of.in_stride, of.out_stride};
}

// The number of elements from the first to the last one of the input, or of an output with `more` rows and columns.
std::size_t extent(const image_shape &of, std::uint64_t pitch, std::uint64_t stride, std::uint64_t more = 0) {
  const std::uint64_t row = (of.width + more) * of.channels, rows = of.height + more;
  if (pitch == 0) pitch = row;
  if (stride == 0) stride = rows * pitch;
  return rows == 0 || of.images == 0 ? 0 : (of.images - 1) * stride + (rows - 1) * pitch + row;
}

std::size_t in_size(const image_shape &of) { return extent(of, of.in_pitch, of.in_stride); }
std::size_t out_size(const image_shape &of, std::uint64_t more = 0) { return extent(of, of.out_pitch, of.out_stride, more); }

// Multiples of 1/1024, whose sums are exact in doubles in any order.
template <class T>
std::vector<T> samples(std::size_t n, std::uint64_t seed) {
  if constexpr (std::is_integral_v<T>) return random_elements<T>(n, seed);
  std::mt19937_64 random(seed);
  std::vector<T> all(n);
  for (T &x : all) x = static_cast<T>(static_cast<std::int64_t>(random() % 400000) - 200000) / 1024;
  return all;
}

template <class T>
std::vector<T> poison(std::size_t n) {
  std::vector<T> all(n);
  std::memset(static_cast<void *>(all.data()), 0x5a, n * sizeof(T));
  return all;
}

// Writes the table of value(pixel); with `more` of 1 its first row and column are zeros.
template <class In, class Sum, class Value>
void add_up(const std::vector<In> &in, std::vector<Sum> &table, const image_shape &of, std::uint64_t more, const Value &value) {
  const std::uint64_t row = (of.width + more) * of.channels, in_pitch = of.in_pitch ? of.in_pitch : of.width * of.channels,
                      pitch = of.out_pitch ? of.out_pitch : row, in_stride = of.in_stride ? of.in_stride : of.height * in_pitch,
                      stride = of.out_stride ? of.out_stride : (of.height + more) * pitch;
  for (std::uint64_t image = 0; image < of.images; ++image)
    for (std::uint64_t y = 0; y < of.height + more; ++y)
      for (std::uint64_t x = 0; x < of.width + more; ++x)
        for (std::uint64_t c = 0; c < of.channels; ++c) {
          const auto at = [&](std::uint64_t up, std::uint64_t left) -> Sum & {
            return table[image * stride + (y - up) * pitch + (x - left) * of.channels + c];
          };
          if (y < more || x < more) {
            at(0, 0) = Sum{};
            continue;
          }
          Sum sum = value(in[image * in_stride + (y - more) * in_pitch + (x - more) * of.channels + c]);
          if (y > 0) sum += at(1, 0);
          if (x > 0) sum += at(0, 1);
          if (y > 0 && x > 0) sum -= at(1, 1);
          at(0, 0) = sum;
        }
}

// Few numbers of channels, since each needs another program.
const image_shape kShapes[] = {{1, 1, 1},
                               {1, 300, 3},
                               {500, 1, 1},
                               {67, 129, 1},
                               {40, 193, 3, 600, 607},
                               {33, 70, 5, 350, 380, 3},
                               {20, 31, 1, 40, 41, 4, 1000, 1003},
                               {9, 10, 3, 0, 0, 30}};
const image_shape kFewShapes[] = {kShapes[4], kShapes[6]};

}  // namespace

class OpenclImage : public OpenclLibrary {
protected:
  std::vector<plan> shapes() const { return {{}, {0, 120, 0, static_cast<unsigned>(known_.max_group < 64 ? 1 : 64), 5}}; }

  template <class In, class Sum>
  void tables(const image_shape &of, const plan &how) {
    SCOPED_TRACE(testing::Message() << of.images << " x " << of.height << " x " << of.width << " x " << of.channels << ", "
                                    << how);
    image_shape exclusive = of;
    if (of.out_pitch != 0) exclusive.out_pitch += of.channels;
    if (of.out_stride != 0) exclusive.out_stride += 2 * exclusive.out_pitch;
    const auto in = random_elements<In>(in_size(of), of.height);
    auto wanted = poison<Sum>(out_size(of)), wanted_table = poison<Sum>(out_size(exclusive, 1)), squares = wanted;
    Guarded<In> source(in, 1);
    Guarded<Sum> out(wanted, 2), table(wanted_table, 3), of_squares(squares);
    const auto square = [](In x) { return static_cast<Sum>(static_cast<Sum>(x) * static_cast<Sum>(x)); };
    const std::string sum = type_of<Sum>::value().name;
    const function text("square",
                        sum + " square(" + type_of<In>::value().name + " x) { return (" + sum + ")x * (" + sum + ")x; }");
    const auto itself = [](In x) { return static_cast<Sum>(x); };
    add_up(in, wanted, of, 0, itself);
    add_up(in, squares, of, 0, square);
    add_up(in, wanted_table, exclusive, 1, itself);
    EXPECT_CL(summed_area_table(source.view(), out.view(), of, queue_, how));
    ASSERT_EQ(out.read(), wanted);
    EXPECT_CL(exclusive_summed_area_table(source.view(), table.view(), exclusive, queue_, how));
    ASSERT_EQ(table.read(), wanted_table);
    EXPECT_CL(summed_area_table(source.view(), of_squares.view(), of, queue_, how, transform_input(text)));
    ASSERT_EQ(of_squares.read(), squares);
    ASSERT_EQ(source.read(), in);
  }

  // A filter of the library for CPU threads and a filter of this library, with the same radii in the form that each takes.
  template <class In, class Out, class CpuRadius>
  void filters(const image_shape &of, const CpuRadius &cpu_radius, const box_radius &radius, const plan &how,
               unsigned times = 1) {
    SCOPED_TRACE(testing::Message() << of.images << " x " << of.height << " x " << of.width << " x " << of.channels << " of "
                                    << type_of<In>::value().name << ", kind " << static_cast<int>(radius.kind) << ", " << how);
    const auto in = samples<In>(in_size(of), of.width);
    auto wanted = poison<Out>(out_size(of));
    Guarded<In> source(in, 1);
    Guarded<Out> out(wanted, 2);
    cpu::box_filter(in.data(), wanted.data(), cpu_shape(of), cpu_radius, cpu::repeated(times));
    EXPECT_CL(box_filter(source.view(), out.view(), of, radius, queue_, how, repeated(times)));
    ASSERT_EQ(out.read(), wanted);
    ASSERT_EQ(source.read(), in);
  }

  template <class In, class Out>
  void filters_by_numbers(std::span<const image_shape> shapes_of, const plan &how) {
    for (const image_shape &of : shapes_of) {
      for (const int radius : {0, 1, 6, 1000}) filters<In, Out>(of, radius, radius, how);
    }
  }
};

TEST_F(OpenclImage, GivenImages_WhenSummed_ThenAsByALoop) {
  for (const plan &how : shapes()) {
    for (const image_shape &of : kShapes) tables<std::uint8_t, std::uint32_t>(of, how);
  }
  for (const image_shape &of : kFewShapes) {
    tables<std::int16_t, std::int64_t>(of, {});
    tables<float, float>(of, shapes()[1]);  // sums are exact
  }
}

TEST_F(OpenclImage, GivenNoPixels_WhenSummed_ThenOnlyTheFirstRowAndColumnAreWritten) {
  for (const image_shape &of : {image_shape{0, 5, 2}, image_shape{5, 0, 2, 0, 3}, image_shape{0, 0, 1, 0, 0, 3}}) {
    const std::size_t size = out_size(of, 1);
    auto wanted = poison<std::int32_t>(size);
    Guarded<std::int32_t> table(wanted), none(1);
    add_up(std::vector<std::int32_t>(), wanted, of, 1, [](std::int32_t x) { return x; });
    EXPECT_CL(exclusive_summed_area_table(none.view(), table.view(), of, queue_));
    ASSERT_EQ(table.read(), wanted);
    EXPECT_CL(summed_area_table(none.view(), none.view(), of, queue_));
    EXPECT_EQ(box_filter(none.view(), none.view(), of, 3, queue_), known_.has_double ? CL_SUCCESS : CL_INVALID_OPERATION);
    none.read(0);
  }
}

TEST_F(OpenclImage, GivenARadius_WhenFiltered_ThenTheBitsOfTheCpuLibrary) {
  if (!known_.has_double) GTEST_SKIP() << "filters take means in doubles";
  for (const plan &how : shapes()) filters_by_numbers<std::uint8_t, std::uint8_t>(kShapes, how);
  filters_by_numbers<float, float>(kFewShapes, shapes()[1]);
  filters_by_numbers<std::int32_t, float>(kFewShapes, {});
  filters_by_numbers<std::int8_t, std::int16_t>(kFewShapes, {});
  filters_by_numbers<std::uint16_t, double>(kFewShapes, {});
  filters_by_numbers<std::int64_t, double>(kFewShapes, {});
  filters_by_numbers<std::int64_t, std::int64_t>(kFewShapes, {});
  filters_by_numbers<std::uint64_t, std::uint64_t>(kFewShapes, {});
  filters_by_numbers<double, std::int32_t>(kFewShapes, {});
}

TEST_F(OpenclImage, GivenEveryLanguage_WhenFiltered_ThenTheSame) {
  if (!known_.has_double) GTEST_SKIP() << "filters take means in doubles";
  for (const int language : known_.languages) {
    filters<std::uint8_t, std::uint8_t>({50, 60, 3}, 4, 4, {0, language, -1, 0, 0}, 3);
    tables<std::uint8_t, std::uint32_t>({50, 60, 3}, {0, language, -1, 0, 0});
  }
}

TEST_F(OpenclImage, GivenARadiusOfEachPixel_WhenFiltered_ThenTheBitsOfTheCpuLibrary) {
  if (!known_.has_double) GTEST_SKIP() << "filters take means in doubles";
  for (const plan &how : shapes()) {
    for (const image_shape &of : kFewShapes) {
      const std::size_t pixels = of.images * of.height * of.width;
      std::mt19937_64 random(pixels);
      std::vector<std::int32_t> radii(pixels);
      std::vector<float> depths(pixels);
      for (auto &radius : radii) radius = random() % 9 == 0 ? 2000000000 : static_cast<std::int32_t>(random() % 40) - 10;
      for (auto &depth : depths) depth = random() % 50 == 0 ? std::nanf("") : static_cast<float>(random() % 1000) / 128;
      Guarded<std::int32_t> of_each(radii, 3);
      Guarded<float> of_depths(depths, 2);
      const function text("radius_of", "ulong radius_of(ulong i) { return i % 7; }");
      const auto seventh = [](std::uint64_t i) { return i % 7; };
      filters<std::uint8_t, std::uint8_t>(of, radii.data(), of_each.view(), how);
      filters<float, float>(of, radii.data(), of_each.view(), how, 2);
      filters<std::uint8_t, std::uint8_t>(of, seventh, text, {}, 3);
      filters<std::uint8_t, std::uint8_t>(of, cpu::circle_of_confusion<float>(depths.data(), 3, 11, 20),
                                          circle_of_confusion(of_depths.view(), 3, 11, 20), how);
    }
  }
}

TEST_F(OpenclImage, GivenTheInputAsTheOutput_WhenFiltered_ThenAsIntoAnother) {
  if (!known_.has_double) GTEST_SKIP() << "filters take means in doubles";
  const image_shape of{100, 113, 3};
  const auto in = samples<std::uint8_t>(in_size(of), 9);
  std::vector<std::uint8_t> wanted(in.size());
  cpu::box_filter(in.data(), wanted.data(), cpu_shape(of), 5, cpu::repeated(3));
  Guarded<std::uint8_t> both(in, 1);
  EXPECT_CL(box_filter(both.view(), both.view(), of, 5, queue_, repeated(3)));
  ASSERT_EQ(both.read(), wanted);
  Guarded<std::uint8_t> far(std::vector<std::uint8_t>(in.size() + 50));
  clEnqueueWriteBuffer(queue_, far.memory(), CL_TRUE, 0, in.size(), in.data(), 0, nullptr, nullptr);
  EXPECT_CL(box_filter(far.view(), buffer<std::uint8_t>(far.memory(), 50), of, 5, queue_, repeated(3)));
  const std::vector<std::uint8_t> now = far.read();
  EXPECT_EQ(std::vector<std::uint8_t>(now.begin() + 50, now.end()), wanted);
  EXPECT_TRUE(std::equal(now.begin(), now.begin() + 50, in.begin()));
}

TEST_F(OpenclImage, GivenWrongArguments_WhenCalled_ThenErrorsAndNothingWritten) {
  Guarded<std::int32_t> in(100), out(200);
  Guarded<float> floats(100);
  const array x = in.view(), y = out.view();
  EXPECT_EQ(box_filter(x, y, {10, 10}, 2, queue_, repeated(0)), CL_INVALID_VALUE);
  EXPECT_NE(std::string(last_message()).find("applied"), std::string::npos) << last_message();
  EXPECT_EQ(box_filter(x, y, {10, 10, 0}, 2, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(box_filter(x, y, {10, 10, 1, 9}, 2, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(box_filter(x, y, {5, 5, 1, 0, 0, 2, 24}, 2, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(box_filter(x, y, {std::uint64_t(1) << 40, std::uint64_t(1) << 40}, 2, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(box_filter(x, y, {20, 10}, 2, queue_), CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(box_filter(x, y, {10, 10}, floats.view(), queue_), CL_INVALID_VALUE);
  EXPECT_EQ(box_filter(x, y, {10, 10}, buffer<int>(cl_mem(nullptr)), queue_), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(box_filter(x, y, {10, 10}, y, queue_), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(box_filter(x, y, {10, 10}, function(), queue_), CL_INVALID_VALUE);
  EXPECT_EQ(box_filter(x, y, {10, 10}, circle_of_confusion(buffer<float>(floats.memory(), 100), 1, 2, 3), queue_),
            CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(box_filter(in.view_as(element_type("pair", "typedef int2 pair;", 8, 8)), y, {5, 5}, 2, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(exclusive_summed_area_table(x, y, {14, 14}, queue_), CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(exclusive_summed_area_table(x, x, {5, 5}, queue_), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(exclusive_summed_area_table(x, y, {5, 5, 1, 0, 5}, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(summed_area_table(x, x, {5, 5, 1, 0, 6}, queue_), CL_MEM_COPY_OVERLAP);
  out.read(0);
}

}  // namespace upsweep::opencl::test
