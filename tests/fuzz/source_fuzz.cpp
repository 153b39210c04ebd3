// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds random bytes and damaged kernels: each must become a program or an error in time, and this process must live on.
//
//   source_fuzz [--seed=N] [--count=N] [--seconds=N] [--limit=SECONDS] [--keep=FOLDER] FILE...
//
// A build that the compiler's process did not survive is an error to the application; it is counted, and kept in the folder.
#include <CL/cl.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

constexpr std::array<std::string_view, 34> kWords = {"kernel",
                                                     "global",
                                                     "local",
                                                     "constant",
                                                     "private",
                                                     "generic",
                                                     "__attribute__((packed))",
                                                     "float4",
                                                     "half",
                                                     "double16",
                                                     "{",
                                                     "}",
                                                     "(",
                                                     ")",
                                                     "[",
                                                     "]",
                                                     ";",
                                                     ",",
                                                     "*",
                                                     "&",
                                                     "->",
                                                     ".s0",
                                                     "#define X ",
                                                     "#if 1\n",
                                                     "#endif\n",
                                                     "#pragma unroll\n",
                                                     "0x7fffffff",
                                                     "1e99f",
                                                     "barrier(1);",
                                                     "goto x;",
                                                     "struct s",
                                                     "sizeof",
                                                     "\"",
                                                     "/*"};
constexpr std::array<const char *, 9> kOptions = {"",
                                                  "-cl-std=CL3.0",
                                                  "-cl-std=CL3.1",
                                                  "-cl-std=CL2.0",
                                                  "-cl-std=CLC++2021",
                                                  "-g",
                                                  "-cl-opt-disable",
                                                  "-cl-fast-relaxed-math -cl-std=CL1.1",
                                                  "-cl-kernel-arg-info -w"};

class Sources {
public:
  Sources(uint64_t seed, std::vector<std::string> kernels) : random_(seed), kernels_(std::move(kernels)) {}

  std::string next() {
    if (kernels_.empty() || below(3) == 0) return bytes(below(4) == 0 ? 4096 : 64);
    std::string text = kernels_[below(kernels_.size())];
    for (size_t changes = 1 + below(6); changes > 0; --changes) mutate(text);
    return text;
  }
  const char *options() { return kOptions[below(kOptions.size())]; }

private:
  size_t below(size_t n) { return random_() % n; }

  std::string bytes(size_t most) {
    std::string text(below(most), '\0');
    const bool words = below(2) == 0;
    for (char &c : text) c = static_cast<char>(random_());
    for (size_t i = 0; words && i < 20; ++i) text.insert(below(text.size() + 1), word());
    return text;
  }

  std::string word() { return std::string(kWords[below(kWords.size())]) + " "; }

  void mutate(std::string &text) {
    if (text.empty()) return;
    const size_t at = below(text.size()), length = std::min(below(40) + 1, text.size() - at);
    switch (below(7)) {
    case 0: text[at] = static_cast<char>(random_()); break;
    case 1: text.erase(at, length); break;
    case 2: text.insert(below(text.size()), text.substr(at, length)); break;
    case 3: text.insert(at, word()); break;
    case 4: text.resize(at); break;
    case 5: {
      const std::string &other = kernels_[below(kernels_.size())];
      const size_t from = below(other.size() + 1);
      text.insert(at, other.substr(from, below(200)));
      break;
    }
    default:
      if (const size_t digit = text.find_first_of("0123456789", at); digit != text.npos)
        text.replace(digit, 1, below(2) ? "4294967297" : "-1");
    }
  }

  std::mt19937_64 random_;
  std::vector<std::string> kernels_;
};

struct Settings {
  uint64_t seed = 1, count = 10000;
  double seconds = 1e9, limit = 60;
  std::string keep;
  std::vector<std::string> kernels;
};

Settings parse(int count, char **words) {
  Settings settings;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const std::string value = word.substr(std::min(word.size(), word.find('=') + 1));
    if (word.starts_with("--seed="))
      settings.seed = std::strtoull(value.c_str(), nullptr, 0);
    else if (word.starts_with("--count="))
      settings.count = std::strtoull(value.c_str(), nullptr, 0);
    else if (word.starts_with("--seconds="))
      settings.seconds = std::strtod(value.c_str(), nullptr);
    else if (word.starts_with("--limit="))
      settings.limit = std::strtod(value.c_str(), nullptr);
    else if (word.starts_with("--keep="))
      settings.keep = value;
    else {
      std::stringstream text;
      text << std::ifstream(word).rdbuf();
      settings.kernels.push_back(text.str());
    }
  }
  return settings;
}

struct Counts {
  uint64_t programs = 0, errors = 0, lost = 0, wrong = 0;
  double slowest = 0;
};

class Builder {
public:
  Builder() {
    cl_platform_id platform = nullptr;
    if (clGetPlatformIDs(1, &platform, nullptr) == CL_SUCCESS &&
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 1, &device_, nullptr) == CL_SUCCESS)
      context_ = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, nullptr);
  }
  ~Builder() {
    if (context_) clReleaseContext(context_);
  }
  Builder(const Builder &) = delete;
  Builder &operator=(const Builder &) = delete;

  [[nodiscard]] bool ready() const { return context_ != nullptr; }

  /// The error in one line, or an empty text.
  std::string build(const std::string &source, const char *options, Counts &counts) {
    const char *text = source.data();
    const size_t length = source.size();
    cl_int status = CL_SUCCESS;
    cl_program program = clCreateProgramWithSource(context_, 1, &text, &length, &status);
    if (!program) return wrong("clCreateProgramWithSource", status, counts);
    status = clBuildProgram(program, 1, &device_, options, nullptr, nullptr);
    size_t bytes = 0;
    clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_LOG, 0, nullptr, &bytes);
    std::string log(bytes, '\0');
    clGetProgramBuildInfo(program, device_, CL_PROGRAM_BUILD_LOG, bytes, log.data(), nullptr);
    clReleaseProgram(program);
    if (status == CL_SUCCESS) {
      ++counts.programs;
      return {};
    }
    if (status != CL_BUILD_PROGRAM_FAILURE || log.size() <= 1) return wrong("clBuildProgram", status, counts);
    ++counts.errors;
    const size_t crash = log.find("the compiler crashed");
    if (crash == log.npos) return {};
    ++counts.lost;
    return log.substr(crash, 80);
  }

private:
  static std::string wrong(const char *call, cl_int status, Counts &counts) {
    ++counts.wrong;
    return std::string(call) + " gave " + std::to_string(status);
  }

  cl_device_id device_ = nullptr;
  cl_context context_ = nullptr;
};

}  // namespace

int main(int count, char **words) {
  Settings settings = parse(count, words);
  Builder builder;
  if (!builder.ready()) {
    std::fprintf(stderr, "source_fuzz: no OpenCL device\n");
    return 2;
  }
  Sources sources(settings.seed, std::move(settings.kernels));
  Counts counts;
  const auto start = Clock::now();
  uint64_t number = 0;
  for (; number < settings.count && seconds_since(start) < settings.seconds; ++number) {
    const std::string source = sources.next();
    const char *options = sources.options();
    const auto begin = Clock::now();
    std::string problem = builder.build(source, options, counts);
    const double took = seconds_since(begin);
    counts.slowest = std::max(counts.slowest, took);
    if (took > settings.limit) {
      ++counts.wrong;
      problem += " took " + std::to_string(took) + " s";
    }
    if (problem.empty()) continue;
    std::printf("source %llu, options '%s': %s\n", static_cast<unsigned long long>(number), options, problem.c_str());
    std::fflush(stdout);
    if (!settings.keep.empty()) std::ofstream(settings.keep + "/" + std::to_string(number) + ".cl") << source;
  }
  std::printf(
      "%llu sources in %.0f s: %llu programs, %llu errors (%llu of them the compiler's end), %llu wrong; slowest %.1f s\n",
      static_cast<unsigned long long>(number), seconds_since(start), static_cast<unsigned long long>(counts.programs),
      static_cast<unsigned long long>(counts.errors), static_cast<unsigned long long>(counts.lost),
      static_cast<unsigned long long>(counts.wrong), counts.slowest);
  return counts.wrong == 0 ? 0 : 1;
}
