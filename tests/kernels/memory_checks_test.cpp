// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory check at objects that share bytes, misaligned arguments, pointers in memory and images. checks_test.cpp turns the
// check on for this program.
#include "../../src/api/newer_functions.h"
#include "kernel_runner.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

namespace upsweep::tests {
namespace {

using Json = nlohmann::json;
using Ints = std::vector<cl_int>;

class MemoryChecks : public KernelRunner {
protected:
  void SetUp() override {
    if (tested_device_type() != CL_DEVICE_TYPE_CPU) GTEST_SKIP() << "only the CPU device checks kernels";
    KernelRunner::SetUp();
    (void)findings();
  }
  void TearDown() override {
    if (!context_) return;
    release();
    for (cl_mem memory : memory_) clReleaseMemObject(memory);
    (void)findings();
    KernelRunner::TearDown();
  }

  static Json findings() {
    Json found = Json::array();
    const char *path = getenv("UPSWEEP_CHECK_LOG");
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) found.push_back(Json::parse(line));
    std::remove(path);
    return found;
  }
  static void expect_none() {
    const Json found = findings();
    EXPECT_TRUE(found.empty()) << found.dump(1);
  }
  /// The only finding.
  static Json only(const char *kind) {
    const Json found = findings();
    EXPECT_EQ(found.size(), 1U) << found.dump(1);
    if (found.size() != 1) return {{"message", ""}, {"object", ""}, {"global_id", {0, 0, 0}}};
    EXPECT_EQ(found[0]["kind"], kind) << found.dump(1);
    return found[0];
  }

  void build_case(const std::string &which) {
    static int number = 0;
    release();
    const std::string name = "kernel_" + std::to_string(number++) + "_" + which;
    build("memory_checks.cl", name.c_str(), ("-cl-std=CL3.0 -D " + which + " -D NAME=" + name).c_str());
  }

  cl_mem buffer(size_t count, cl_mem_flags flags = CL_MEM_READ_WRITE, void *host = nullptr) {
    Ints zeros(count);
    if (!host) flags |= CL_MEM_COPY_HOST_PTR;
    memory_.push_back(clCreateBuffer(context_, flags, count * sizeof(cl_int), host ? host : zeros.data(), nullptr));
    EXPECT_NE(memory_.back(), nullptr);
    return memory_.back();
  }
  cl_mem part(cl_mem whole, size_t origin, size_t count, cl_mem_flags flags) {
    const cl_buffer_region region{origin * sizeof(cl_int), count * sizeof(cl_int)};
    memory_.push_back(clCreateSubBuffer(whole, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr));
    EXPECT_NE(memory_.back(), nullptr);
    return memory_.back();
  }
  Ints contents(cl_mem memory, size_t count) {
    Ints all(count);
    EXPECT_EQ(clEnqueueReadBuffer(queue_, memory, CL_TRUE, 0, count * sizeof(cl_int), all.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    return all;
  }
  void launch(size_t items) {
    ASSERT_EQ(clEnqueueNDRangeKernel(queue_, kernel_, 1, nullptr, &items, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
    ASSERT_EQ(clFinish(queue_), CL_SUCCESS);
  }

  cl_mem image(size_t width, size_t height, size_t layers = 0) {
    const cl_image_format format{CL_R, CL_SIGNED_INT32};
    cl_image_desc desc{};
    desc.image_type = layers ? CL_MEM_OBJECT_IMAGE2D_ARRAY : CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = width;
    desc.image_height = height;
    desc.image_array_size = layers;
    Ints texels(width * height * std::max<size_t>(layers, 1));
    std::iota(texels.begin(), texels.end(), 0);
    memory_.push_back(
        clCreateImage(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format, &desc, texels.data(), nullptr));
    EXPECT_NE(memory_.back(), nullptr);
    return memory_.back();
  }

  std::vector<cl_mem> memory_;
};

TEST_F(MemoryChecks, GivenArgumentsThatShareBytes_WhenAPointerComesFromMemory_ThenTheRightsOfEachCount) {
  cl_mem whole = buffer(256);
  cl_mem readable = part(whole, 0, 64, CL_MEM_READ_ONLY), all = part(whole, 32, 96, CL_MEM_READ_WRITE);
  build_case("STORED");
  set(0, readable);
  set(1, all);
  set(2, buffer(256));
  set(3, cl_int{32});
  launch(64);  // the pointer is in both arguments, and the ints 64 to 127 are in `all` alone
  expect_none();
  set(3, cl_int{65});
  launch(32);
  EXPECT_EQ(only("out-of-bounds")["global_id"][0], 31);
  build_case("STORED");  // only one argument, without the right
  set(0, buffer(1));
  set(1, readable);
  set(2, buffer(256));
  set(3, cl_int{0});
  launch(8);
  (void)only("read-only");
}

TEST_F(MemoryChecks, GivenAnArgumentInTheMiddleOfAnother_WhenAPointerComesFromMemory_ThenTheWholeIsReachable) {
  cl_mem whole = buffer(256);
  for (const bool has_whole : {true, false}) {
    build_case("STORED_BACK");
    set(0, has_whole ? whole : buffer(8));
    set(1, part(whole, 64, 64, CL_MEM_READ_WRITE));
    set(2, buffer(256));
    set(3, cl_int{16});
    launch(20);
    if (has_whole)
      expect_none();
    else
      EXPECT_LT(only("out-of-bounds")["offset"], 0);
  }
}

TEST_F(MemoryChecks, GivenMisalignedMemoryOfTheHost_WhenVectorsAreRead_ThenTheArgumentIsFound) {
  alignas(128) static cl_int memory[128];
  std::iota(std::begin(memory), std::end(memory), 0);
  for (const char *which : {"ALIGNED", "ALIGNED_CHOICE"})
    for (const size_t shift : {size_t{0}, size_t{1}, size_t{2}, size_t{4}}) {
      SCOPED_TRACE(testing::Message() << which << ", " << shift);
      build_case(which);
      cl_mem out = buffer(80);
      set(0, out);
      set(1, buffer(80, CL_MEM_USE_HOST_PTR, memory + shift));
      launch(20);
      const Ints written = contents(out, 80);
      if (shift % 4 == 0) {
        expect_none();
        EXPECT_EQ(written[79], static_cast<cl_int>(79 + shift + 1));
        continue;
      }
      EXPECT_EQ(written[79], 1);
      const Json found = only("misaligned");
      EXPECT_NE(found["message"].get<std::string>().find("not a multiple of 16 bytes"), std::string::npos) << found;
      if (which == std::string("ALIGNED")) EXPECT_EQ(found["object"], "in");
    }
}

TEST_F(MemoryChecks, GivenAnAddressThatIsAlignedAgain_WhenAVectorIsRead_ThenNothingIsFound) {
  alignas(128) static cl_int memory[128];
  build_case("MISALIGNED_TWICE");
  set(0, buffer(80));
  set(1, buffer(84, CL_MEM_USE_HOST_PTR, memory + 1));
  launch(20);
  expect_none();
  set(1, buffer(84));
  launch(20);
  (void)only("misaligned");
}

struct Pointers {
  cl_int *values;
  cl_int *table;
};

TEST_F(MemoryChecks, GivenPointersInAStruct_WhenTheyLeaveTheirMemory_ThenTheyAreFound) {
  auto *pointers = static_cast<Pointers *>(clSVMAlloc(context_, CL_MEM_READ_WRITE, sizeof(Pointers), 0));
  auto *values = static_cast<cl_int *>(clSVMAlloc(context_, CL_MEM_READ_WRITE, 80 * sizeof(cl_int), 0));
  std::iota(values, values + 80, 0);
  *pointers = {values, values};
  for (const auto &[which, items] : {std::pair("MEMBER_ARRAY", 80), {"MEMBER_VECTOR", 20}, {"LOCAL_STRUCT", 80}})
    for (const cl_int n : {0, 4}) {
      SCOPED_TRACE(testing::Message() << which << ", " << n);
      build_case(which);
      cl_mem out = buffer(80);
      set(0, out);
      ASSERT_EQ(clSetKernelArgSVMPointer(kernel_, 1, pointers), CL_SUCCESS);
      set(2, n);
      launch(items);
      const Ints written = contents(out, 80);
      for (cl_int i = 0; i < 80; ++i) EXPECT_EQ(written[i], i + n < 80 ? i + n : 0);
      if (n == 0)
        expect_none();
      else
        EXPECT_EQ(only("out-of-bounds")["bytes"], 320);
    }
  clSVMFree(context_, values);
  clSVMFree(context_, pointers);
}

TEST_F(MemoryChecks, GivenABufferThatIsReachedByItsAddress_WhenAnAccessIsOutside_ThenItIsFound) {
  const cl_mem_properties fixed[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE, 0};
  for (const cl_mem_flags flags : {CL_MEM_READ_WRITE, CL_MEM_READ_ONLY}) {
    memory_.push_back(clCreateBufferWithProperties(context_, fixed, flags, 40 * sizeof(cl_int), nullptr, nullptr));
    cl_mem addressed = memory_.back();
    cl_mem_device_address_ext address = 0;
    ASSERT_EQ(clGetMemObjectInfo(addressed, CL_MEM_DEVICE_ADDRESS_EXT, sizeof address, &address, nullptr), CL_SUCCESS);
    for (const cl_int n : {0, 1, -1}) {
      build_case("ADDRESSED");
      set(0, buffer(40));
      memory_.push_back(clCreateBuffer(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof address, &address, nullptr));
      set(1, memory_.back());
      set(2, n);
      launch(n < 0 ? 1 : 40);
      if (n == 0) expect_none();
      if (n > 0) EXPECT_EQ(only("out-of-bounds")["bytes"], 160);
      if (n < 0) EXPECT_EQ(findings().size(), flags == CL_MEM_READ_ONLY ? 2U : 1U);  // the read, and the write without a right
    }
  }
}

TEST_F(MemoryChecks, GivenCoordinatesOutsideOfAnImage_WhenNoSamplerDefinesThem_ThenTheyAreFound) {
  for (const cl_int x : {0, 1, -1})
    for (const cl_int y : {0, 7, 8}) {
      SCOPED_TRACE(testing::Message() << x << ", " << y);
      build_case("WRITES_2D");
      set(0, image(20, 8));
      set(1, x);
      set(2, y);
      launch(20);
      Json found = findings();
      EXPECT_EQ(found.size(), x != 0 || y == 8 ? 1U : 0U) << found.dump(1);  // one for both axes of a place
      if (x == 1 && y < 8 && found.size() == 1) {
        EXPECT_EQ(found[0]["kind"], "out-of-bounds");
        EXPECT_EQ(found[0]["object"], "picture");
        EXPECT_EQ(found[0]["global_id"][0], 19);
        EXPECT_EQ(found[0]["message"], "write of a texel outside of the image of argument 'picture': x 20 of 20 texels");
      }
      build_case("READS_2D");
      cl_mem out = buffer(20);
      set(0, out);
      set(1, image(20, 8));
      set(2, x);
      set(3, y);
      launch(20);
      found = findings();
      EXPECT_EQ(found.size(), x != 0 || y == 8 ? 1U : 0U) << found.dump(1);
      if (y < 8) EXPECT_EQ(contents(out, 20)[5], 20 * y + 5 + x);
    }
}

TEST_F(MemoryChecks, GivenAnImageArray_WhenALayerIsOutside_ThenItIsFound) {
  for (const cl_int layer : {2, 3}) {
    build_case("READS_ARRAY");
    set(0, buffer(20));
    set(1, image(20, 8, 3));
    set(2, cl_int{0});
    set(3, cl_int{0});
    set(4, layer);
    launch(20);
    if (layer < 3)
      expect_none();
    else
      EXPECT_EQ(only("out-of-bounds")["message"],
                "read of a texel outside of the image of argument 'pictures': layer 3 of 3 layers");
  }
}

TEST_F(MemoryChecks, GivenASampler_WhenACoordinateIsOutside_ThenOnlyAddressNoneIsFound) {
  build_case("SAMPLES_2D");
  set(0, buffer(20));
  set(1, image(20, 8));
  set(2, cl_int{5});
  set(3, cl_int{-1});
  launch(20);
  expect_none();
  for (const cl_addressing_mode mode : {CL_ADDRESS_CLAMP, CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_NONE}) {
    build_case("SAMPLES_BY");
    const cl_sampler_properties properties[] = {
        CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE, CL_SAMPLER_ADDRESSING_MODE, mode, CL_SAMPLER_FILTER_MODE, CL_FILTER_NEAREST, 0};
    cl_sampler sampler = clCreateSamplerWithProperties(context_, properties, nullptr);
    ASSERT_NE(sampler, nullptr);
    set(0, buffer(20));
    set(1, image(20, 8));
    set(2, cl_int{5});
    set(3, cl_int{7});
    set(4, sampler);
    launch(20);
    if (mode == CL_ADDRESS_NONE)
      EXPECT_EQ(only("out-of-bounds")["global_id"][0], 15);
    else
      expect_none();
    clReleaseSampler(sampler);
  }
}

TEST_F(MemoryChecks, GivenABlockWithLocalArguments_WhenAnIndexIsOutside_ThenItIsFound) {
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                            0};
  cl_command_queue queue = clCreateCommandQueueWithProperties(context_, device_, properties, nullptr);
  ASSERT_NE(queue, nullptr);
  for (const cl_int n : {0, 1}) {
    build_case("BLOCKS");
    cl_mem out = buffer(16);
    set(0, out);
    set(1, queue);
    set(2, n);
    launch(1);
    const Ints written = contents(out, 16);
    for (cl_int i = 0; i < 16; ++i) EXPECT_EQ(written[i], i + (i + n < 16 ? 10 * i : 0));
    const Json found = findings();
    EXPECT_EQ(found.size(), n == 0 ? 0U : 2U) << found.dump(1);  // the write and the read
    for (const Json &each : found) {
      EXPECT_EQ(each["kind"], "out-of-bounds");
      EXPECT_EQ(each["bytes"], 64);
      EXPECT_EQ(each["local_id"][0], 15);
    }
  }
  clReleaseCommandQueue(queue);
}

TEST_F(MemoryChecks, GivenTheLibrarysTables_WhenAMathFunctionReadsThem_ThenNothingIsFound) {
  build_case("LIBRARY");
  set(0, buffer(33));
  set(1, buffer(33));
  launch(33);
  expect_none();
}

TEST_F(MemoryChecks, GivenNullPointersInTheSource_WhenTheyAreUsed_ThenEachUseIsFound) {
  for (const cl_int which : {0, 1, 2, 4, 8}) {
    build_case("NULLS");
    cl_mem out = buffer(40);
    set(0, out);
    set(1, which);
    launch(40);
    EXPECT_EQ(contents(out, 40), Ints(40, which == 1 ? 1 : 2)) << which;
    const Json found = findings();
    ASSERT_EQ(found.size(), which == 0 ? 0U : which == 4 || which == 8 ? 1U : 2U) << which << found.dump(1);
    for (const Json &each : found) EXPECT_EQ(each["kind"], "null-pointer");
  }
}

TEST_F(MemoryChecks, GivenStrings_WhenTheyDoNotEndInTheirObject_ThenTheyAreFound) {
  const Ints wholes(9);
  for (const cl_int which : {0, 1, 2}) {
    build_case("STRINGS");
    Ints numbers(9);
    numbers[5] = which;
    memory_.push_back(
        clCreateBuffer(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, 9 * sizeof(cl_int), numbers.data(), nullptr));
    set(0, memory_.back());
    set(1, buffer(2));
    set(2, cl_int{0});
    testing::internal::CaptureStdout();
    launch(9);
    const std::string printed = testing::internal::GetCapturedStdout();
    EXPECT_NE(printed.find("4 abc."), std::string::npos) << printed;
    if (which == 0) {
      expect_none();
      continue;
    }
    const Json found = only(which == 1 ? "out-of-bounds" : "null-pointer");
    EXPECT_EQ(found["global_id"][0], 5);
    EXPECT_NE(printed.find("5 (null)."), std::string::npos) << printed;
  }
}

TEST_F(MemoryChecks, GivenAStringInABuffer_WhenNoByteEndsIt_ThenItIsFound) {
  for (const bool has_end : {true, false}) {
    build_case("STRINGS");
    set(0, buffer(2));
    cl_mem text = buffer(2);
    const char letters[8] = {'a', 'b', 'c', 'd', 'e', 'f', 'g', has_end ? '\0' : 'h'};
    ASSERT_EQ(clEnqueueWriteBuffer(queue_, text, CL_TRUE, 0, sizeof letters, letters, 0, nullptr, nullptr), CL_SUCCESS);
    set(1, text);
    set(2, cl_int{1});
    testing::internal::CaptureStdout();
    launch(2);
    const std::string printed = testing::internal::GetCapturedStdout();
    EXPECT_NE(printed.find(has_end ? "%s text bcdefg." : "%s text (null)."), std::string::npos) << printed;
    if (has_end)
      expect_none();
    else
      EXPECT_EQ(only("out-of-bounds")["object"], "text");
  }
}

TEST_F(MemoryChecks, GivenReservations_WhenAPacketIsOutside_ThenItIsFound) {
  const auto pipe = [&] {
    memory_.push_back(clCreatePipe(context_, CL_MEM_HOST_NO_ACCESS, sizeof(cl_int), 8, nullptr, nullptr));
    return memory_.back();
  };
  for (const cl_int packets : {2, 3}) {
    build_case("PACKETS");
    cl_mem out = buffer(4);
    set(0, out);
    set(1, pipe());
    set(2, packets);
    launch(1);
    EXPECT_EQ(contents(out, 2), Ints(2, 0));
    if (packets == 2)
      expect_none();
    else
      EXPECT_EQ(only("out-of-bounds")["message"], "write of packet 2 of a reservation of 2 packets");
  }
  for (const bool is_full : {true, false}) {
    cl_mem packets = pipe();
    build_case("PACKETS");
    set(0, buffer(4));
    set(1, packets);
    set(2, cl_int{2});
    if (is_full) launch(1);
    expect_none();
    build_case("NO_RESERVATION");
    cl_mem out = buffer(2);
    set(0, out);
    set(1, packets);
    set(2, cl_int{1});
    launch(1);
    EXPECT_EQ(contents(out, 2)[1], 7);
    if (is_full)
      expect_none();
    else
      EXPECT_EQ(only("out-of-bounds")["message"], "read of a packet without a reservation");
  }
}

}  // namespace
}  // namespace upsweep::tests
