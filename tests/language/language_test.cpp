// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds the blocks of the section files and runs blocks that can run. A block begins with a line in one of these forms and
// ends at the next such line:
//
//   //: runs [OPTIONS]             its kernel `test` is run, and each CHECK of it must hold
//   //: builds [OPTIONS]
//   //: warned "TEXT" [OPTIONS]    it must build, and the log must have this text
//   //: kernels "NAMES" [OPTIONS]  it must build, and have exactly these kernels, in any order: "f;g"
//   //: refused "TEXT" [OPTIONS]   it must not build, and the log must have this text
//   //: cpu-refused "TEXT" ...     the same on the CPU; GPUs support it
//
// OPTIONS are for clBuildProgram; | separates sets of options, and a set without any means -cl-std=CL3.0. A long line
// continues on the next line that begins with //: and none of these words. Text before the first block of a file belongs to
// every block. Sets with -cl-std=CL3.1 are for devices of OpenCL 3.1.
#include "../default_device.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace upsweep::tests {
namespace {

// CHECK notes the line of the first check that fails; `one` is 1 and `zero` 0, which the compiler cannot know.
constexpr char kChecks[] = "#define CHECK(...) do { if (!(__VA_ARGS__) && out[0] == 0) out[0] = __LINE__; } while (0)\n"
                           "#define TEST kernel void test(global int *out, int one, int zero)\n";

struct Block {
  int line = 0;
  std::string kind, text, source;
  std::vector<std::string> options;
};

std::string trimmed(const std::string &text) {
  const size_t first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
  return first == text.npos ? "" : text.substr(first, last - first + 1);
}

Block parse_header(const std::string &header, int line) {
  Block block;
  block.line = line;
  std::string rest = header;
  const size_t space = rest.find(' ');
  block.kind = rest.substr(0, space);
  if (block.kind == "cpu-refused") block.kind = tests_a_gpu() ? "builds" : "refused";
  rest = space == rest.npos ? "" : trimmed(rest.substr(space));
  if (rest.starts_with('"')) {
    const size_t end = rest.find('"', 1);
    block.text = rest.substr(1, end - 1);
    rest = trimmed(rest.substr(end + 1));
  }
  std::istringstream sets(rest.empty() ? "-cl-std=CL3.0" : rest);
  for (std::string set; std::getline(sets, set, '|');) block.options.push_back(trimmed(set));
  return block;
}

bool begins_block(const std::string &line) {
  return std::ranges::any_of(
      std::array{"//: runs", "//: builds", "//: warned", "//: kernels", "//: refused", "//: cpu-refused"},
      [&](const char *kind) { return line.starts_with(kind); });
}

/// Each source keeps the line numbers of its file, so that messages name the right line.
std::vector<Block> read_blocks(const std::string &section) {
  std::ifstream in(std::string(UPSWEEP_TEST_SECTIONS "/") + section + ".cl");
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  std::vector<Block> blocks;
  std::string common;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].starts_with("//: ")) {
      std::string header = lines[i].substr(4);
      const int number = static_cast<int>(i) + 1;
      while (i + 1 < lines.size() && lines[i + 1].starts_with("//: ") && !begins_block(lines[i + 1]))
        header += lines[++i].substr(3);
      blocks.push_back(parse_header(header, number));
      blocks.back().source = (blocks.back().kind == "runs" ? kChecks : "") + common + "#line " + std::to_string(i + 2) + "\n";
    } else if (blocks.empty()) {
      common += lines[i] + "\n";
    } else {
      blocks.back().source += lines[i] + "\n";
    }
  }
  return blocks;
}

class Language : public DefaultDevice, public testing::WithParamInterface<const char *> {
protected:
  void check(const Block &block, const std::string &options) {
    const char *text = block.source.c_str();
    cl_program program = clCreateProgramWithSource(context_, 1, &text, nullptr, nullptr);
    // CHECK's own need.
    const std::string all = (block.kind == "runs" ? "-Wno-variadic-macros " : "") + options;
    const cl_int status = clBuildProgram(program, 1, &device_, all.c_str(), nullptr, nullptr);
    size_t bytes = 0;
    clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes);
    std::string log(bytes, '\0');
    clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_LOG, bytes, log.data(), nullptr);
    EXPECT_EQ(status, block.kind == "refused" ? CL_BUILD_PROGRAM_FAILURE : CL_SUCCESS) << log;
    if (block.kind == "refused" || block.kind == "warned") EXPECT_NE(log.find(block.text), log.npos) << log;
    if (status == CL_SUCCESS && block.kind == "runs") run(program);
    if (status == CL_SUCCESS && block.kind == "kernels") EXPECT_EQ(kernels_of(program), sorted_words(block.text));
    clReleaseProgram(program);
  }

private:
  static std::vector<std::string> sorted_words(const std::string &text) {
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; std::getline(stream, word, ';');) words.push_back(word);
    std::ranges::sort(words);
    return words;
  }

  std::vector<std::string> kernels_of(cl_program program) {
    size_t bytes = 0;
    clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, 0, nullptr, &bytes);
    std::vector<char> names(bytes + 1);
    clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, bytes, names.data(), nullptr);
    return sorted_words(names.data());
  }

  void run(cl_program program) {
    cl_int failed = 0;
    cl_kernel kernel = clCreateKernel(program, "test", nullptr);
    cl_mem out = clCreateBuffer(context_, CL_MEM_COPY_HOST_PTR, sizeof failed, &failed, nullptr);
    const cl_int one = 1, zero = 0;
    clSetKernelArg(kernel, 0, sizeof out, &out);
    clSetKernelArg(kernel, 1, sizeof one, &one);
    clSetKernelArg(kernel, 2, sizeof zero, &zero);
    const size_t items = 1;
    failed = -1;
    EXPECT_EQ(clEnqueueNDRangeKernel(queue_, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(clEnqueueReadBuffer(queue_, out, CL_TRUE, 0, sizeof failed, &failed, 0, nullptr, nullptr), CL_SUCCESS);
    EXPECT_EQ(failed, 0) << "the check in that line does not hold";
    clReleaseMemObject(out);
    clReleaseKernel(kernel);
  }
};

TEST_P(Language, GivenTheBlocksOfASection_WhenBuilt_ThenTheyAreTakenOrRefusedAsItSays) {
  if (GetParam() == std::string("enqueue") && tests_a_gpu()) GTEST_SKIP() << "GPUs have no device-side enqueue";
  const std::vector<Block> blocks = read_blocks(GetParam());
  ASSERT_FALSE(blocks.empty());
  for (const Block &block : blocks) {
    constexpr std::array kKinds = {"runs", "builds", "warned", "kernels", "refused"};
    ASSERT_TRUE(std::ranges::find(kKinds, block.kind) != kKinds.end()) << block.kind;
    for (const std::string &options : block.options) {
      if (options.find("-cl-std=CL3.1") != options.npos &&
          figure_of<cl_version>(device_, CL_DEVICE_NUMERIC_VERSION) < CL_MAKE_VERSION(3, 1, 0))
        continue;
      SCOPED_TRACE(std::string(GetParam()) + ".cl:" + std::to_string(block.line) + ": " + block.kind + " " + options);
      check(block, options);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sections, Language,
                         testing::Values("types", "conversions", "operators", "vectors", "address_spaces", "images",
                                         "qualifiers", "storage_classes", "restrictions", "permitted", "dialects", "kernels",
                                         "preprocessor", "features", "attributes", "blocks", "enqueue", "pipes", "versions",
                                         "cpp"),
                         [](const auto &test) { return std::string(test.param); });

}  // namespace
}  // namespace upsweep::tests
