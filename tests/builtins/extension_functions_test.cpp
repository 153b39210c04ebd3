// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each overload of the functions in extension_functions.h, with random and special arguments.
#include "extension_functions.h"

#include "../default_device.h"
#include "random_numbers.h"

#include <cstring>
#include <limits>
#include <ostream>

namespace upsweep::tests {

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest's
void PrintTo(const ExtensionFunction &function, std::ostream *out) { *out << function.name; }

namespace {

/// Not a multiple of a sub-group's size, so that the last sub-group is partial.
constexpr size_t kItems = 1003;
constexpr unsigned kWidths[] = {1, 2, 3, 4, 8, 16};

std::string type_of(const Place &place, unsigned width) {
  const unsigned w = place.width == 0 ? width : place.width;
  return place.element.name + (w == 1 ? "" : std::to_string(w));
}

/// Loads elements without gaps, three-element vectors included, by vload3.
std::string load(const Place &place, unsigned width, const std::string &pointer) {
  const unsigned w = place.width == 0 ? width : place.width;
  return w == 1 ? pointer + "[i]" : "vload" + std::to_string(w) + "(i, " + pointer + ")";
}

std::string kernel_of(const ExtensionFunction &function, unsigned width) {
  std::string parameters = "global " + function.result.element.name + " *r", arguments;
  for (size_t p = 0; p < function.parameters.size(); ++p) {
    const std::string name = "a" + std::to_string(p);
    parameters += ", global const " + function.parameters[p].element.name + " *" + name;
    arguments += (p == 0 ? "" : ", ") + load(function.parameters[p], width, name);
  }
  const std::string call = function.name + "(" + arguments + ")", number = std::to_string(width);
  const bool is_scalar = function.result.width == 1 || width == 1;
  return "kernel void w" + number + "(" + parameters + ") {\n  size_t i = get_global_id(0);\n  " +
         type_of(function.result, width) + " x = " + call + ";\n  " +
         (is_scalar ? "r[i] = x" : "vstore" + number + "(x, i, r)") + ";\n}\n";
}

/// The elements of one argument for all work-items.
std::vector<uint64_t> drawn(const Place &place, size_t count, RandomNumbers &random) {
  std::vector<uint64_t> values(count);
  const unsigned bits = place.element.bits;
  const uint64_t all = ~uint64_t{0} >> (64 - bits), special[] = {0, 1, all, all >> 1, all ^ all >> 1, 0x8080808080808080 & all};
  for (size_t i = 0; i < count; ++i) {
    if (place.element.name == "float") {
      const float value = random.real_float();
      uint32_t as_bits = 0;
      std::memcpy(&as_bits, &value, sizeof as_bits);
      values[i] = as_bits;
    } else if (random.bits() % 4 == 0) {
      values[i] = special[random.bits() % std::size(special)];
    } else {
      values[i] = (random.bits() % 2 == 0 ? random.bits() : static_cast<uint64_t>(random.integer())) & all;
    }
  }
  return values;
}

/// Bit fields of every offset and width, among them empty fields and fields at the element's end.
void draw_fields(std::vector<uint64_t> &offsets, std::vector<uint64_t> &widths, unsigned bits, RandomNumbers &random) {
  for (size_t i = 0; i < offsets.size(); ++i) {
    offsets[i] = random.bits() % (bits + 1);
    widths[i] = random.bits() % 4 == 0 ? bits - offsets[i] : random.bits() % (bits - offsets[i] + 1);
  }
}

std::vector<unsigned char> as_bytes(const std::vector<uint64_t> &values, unsigned bits) {
  std::vector<unsigned char> bytes(values.size() * bits / 8);
  for (size_t i = 0; i < values.size(); ++i) std::memcpy(bytes.data() + i * bits / 8, &values[i], bits / 8);
  return bytes;
}

bool is_same(const Element &element, uint64_t got, uint64_t want) {
  if (element.name != "float") return got == want;
  const uint32_t bits[] = {static_cast<uint32_t>(got), static_cast<uint32_t>(want)};
  float values[2];
  std::memcpy(values, bits, sizeof values);
  return values[0] == values[1];
}

class KernelsOfArrays : public DefaultDevice {
protected:
  cl_program build(const std::string &source) {
    const char *text = source.c_str();
    cl_program program = clCreateProgramWithSource(context_, 1, &text, nullptr, nullptr);
    const cl_int status = clBuildProgram(program, 1, &device_, nullptr, nullptr, nullptr);
    std::string log(20'000, '\0');
    clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
    EXPECT_EQ(status, CL_SUCCESS) << source << log.c_str();
    return program;
  }

  std::vector<unsigned char> run(cl_kernel kernel, const std::vector<std::vector<unsigned char>> &inputs, size_t result_bytes) {
    std::vector<cl_mem> buffers = {clCreateBuffer(context_, CL_MEM_READ_WRITE, result_bytes, nullptr, nullptr)};
    for (const auto &input : inputs)
      buffers.push_back(
          clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, input.size(), const_cast<unsigned char *>(input.data()), nullptr));
    for (cl_uint p = 0; p < buffers.size(); ++p) clSetKernelArg(kernel, p, sizeof(cl_mem), &buffers[p]);
    std::vector<unsigned char> result(result_bytes);
    EXPECT_EQ(clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &kItems, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(clEnqueueReadBuffer(queue_, buffers[0], CL_TRUE, 0, result_bytes, result.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
    for (cl_mem buffer : buffers) clReleaseMemObject(buffer);
    return result;
  }
};

class ExtensionFunctions : public KernelsOfArrays, public testing::WithParamInterface<ExtensionFunction> {
protected:
  void check(cl_program program, unsigned width) {
    const ExtensionFunction &function = GetParam();
    const auto width_of = [&](const Place &place) { return place.width == 0 ? width : place.width; };
    RandomNumbers random;
    std::vector<std::vector<uint64_t>> arguments;
    for (const Place &place : function.parameters) arguments.push_back(drawn(place, kItems * width_of(place), random));
    const size_t last = arguments.size() - 1;
    if (function.draw == Draw::kField)
      draw_fields(arguments[last - 1], arguments[last], function.parameters[0].element.bits, random);
    std::vector<std::vector<unsigned char>> inputs;
    for (size_t p = 0; p <= last; ++p) inputs.push_back(as_bytes(arguments[p], function.parameters[p].element.bits));

    const unsigned bits = function.result.element.bits, results = width_of(function.result);
    cl_kernel kernel = clCreateKernel(program, ("w" + std::to_string(width)).c_str(), nullptr);
    const std::vector<unsigned char> got = run(kernel, inputs, kItems * results * bits / 8);
    clReleaseKernel(kernel);
    for (size_t i = 0; i < kItems * results; ++i) {
      Bits a{};
      for (size_t p = 0; p <= last; ++p) {
        const Place &place = function.parameters[p];
        const size_t first = place.width == 0 ? i : i / results * place.width;
        for (size_t e = 0; e < std::max(place.width, 1U); ++e) a[p] |= arguments[p][first + e] << (e * place.element.bits);
      }
      uint64_t value = 0;
      std::memcpy(&value, got.data() + i * bits / 8, bits / 8);
      const uint64_t want = function.reference(a) & ~uint64_t{0} >> (64 - bits);
      ASSERT_TRUE(is_same(function.result.element, value, want))
          << std::hex << type_of(function.parameters[0], width) << " at " << i << ": " << a[0] << ", " << a[1] << ", " << a[2]
          << ", " << a[3] << " give " << value << " instead of " << want;
    }
  }
};

TEST_P(ExtensionFunctions, GivenRandomAndSpecialArguments_WhenCalledInEachWidth_ThenResultsAreExact) {
  const bool has_widths = GetParam().result.width == 0;
  std::string source;
  for (const unsigned width : kWidths)
    if (has_widths || width == 1) source += kernel_of(GetParam(), width);
  cl_program program = build(source);
  for (const unsigned width : kWidths)
    if (has_widths || width == 1) check(program, width);
  clReleaseProgram(program);
}

std::string name_of(const testing::TestParamInfo<ExtensionFunction> &test) {
  std::string name = test.param.name;
  for (const Place &place : test.param.parameters) name += "_" + type_of(place, 1);
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, ExtensionFunctions, testing::ValuesIn(extension_functions()), name_of);

TEST_F(KernelsOfArrays, GivenFourComponents_WhenPackedOrSummed_ThenTheWordIsExact) {
  cl_program program =
      build("kernel void pack(global uint *r, global const float4 *x) {\n"
            "  r[get_global_id(0)] = amd_pack(x[get_global_id(0)]);\n}\n"
            "kernel void sum(global uint *r, global const uint4 *x, global const uint4 *y, global const uint *z) {\n"
            "  size_t i = get_global_id(0);\n  r[i] = amd_sad4(x[i], y[i], z[i]);\n}\n");
  RandomNumbers random;
  std::vector<std::vector<uint64_t>> words;
  for (const size_t count : {4 * kItems, 4 * kItems, kItems}) words.push_back(drawn({{"uint", 32}}, count, random));
  std::vector<float> numbers(4 * kItems);
  for (float &number : numbers) number = static_cast<float>(random.bits() >> 40) / 1024;
  std::vector<unsigned char> number_bytes(numbers.size() * 4);
  std::memcpy(number_bytes.data(), numbers.data(), number_bytes.size());

  cl_kernel pack = clCreateKernel(program, "pack", nullptr), sum = clCreateKernel(program, "sum", nullptr);
  const auto packed = run(pack, {number_bytes}, kItems * 4);
  const auto summed = run(sum, {as_bytes(words[0], 32), as_bytes(words[1], 32), as_bytes(words[2], 32)}, kItems * 4);
  for (size_t i = 0; i < kItems; ++i) {
    uint32_t want[2] = {0, static_cast<uint32_t>(words[2][i])}, got[2];
    for (size_t c = 0; c < 4; ++c) {
      want[0] |= (static_cast<uint32_t>(numbers[4 * i + c]) & 255) << (8 * c);
      for (size_t b = 0; b < 4; ++b) {
        const auto byte = [&](size_t argument) { return static_cast<int>(words[argument][4 * i + c] >> (8 * b) & 255); };
        want[1] += static_cast<uint32_t>(std::abs(byte(0) - byte(1)));
      }
    }
    std::memcpy(&got[0], packed.data() + 4 * i, 4);
    std::memcpy(&got[1], summed.data() + 4 * i, 4);
    ASSERT_EQ(got[0], want[0]) << i;
    ASSERT_EQ(got[1], want[1]) << i;
  }
  clReleaseKernel(pack);
  clReleaseKernel(sum);
  clReleaseProgram(program);
}

}  // namespace
}  // namespace upsweep::tests
