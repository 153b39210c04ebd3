// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs random kernels on the default device and compares them with the interpreter, for a time or a number of kernels:
//
//   kernel_fuzz [--seed=N] [--count=N] [--seconds=N] [--batch=N] [--options=TEXT] [--images=PERCENT] [--spirv[=LEVEL]]
//               [--print] [--shrink] [--outside]
//
// UPSWEEP_LANES in the environment selects the pipeline that compiles them. Runs of both pipelines show whether the two agree.
// --outside reads up to twice as many inputs as there are, and turns the memory check on, which makes the others 0.
// --spirv translates the kernels to SPIR-V by clang-15, at -O1 or the given level, and llvm-spirv-15. The exit status is 77
// without clang-15 or llvm-spirv-15.
#include "kernel_device.h"
#include "kernel_pictures.h"
#include "kernel_shrinker.h"
#include "run_settings.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace {

using namespace upsweep::fuzz;

struct Settings : RunSettings {
  uint64_t images = 5;  ///< percent of kernels with images
  bool shrink = false, outside = false;
  std::string level;  ///< of Clang, for SPIR-V
};

bool parse(int count, char **words, Settings &settings) {
  for (int i = 1; i < count; ++i) {
    const Word word(words[i]);
    if (settings.take(word)) continue;
    if (word.name == "--images")
      settings.images = word.number();
    else if (word.name == "--spirv")
      settings.level = word.value.empty() ? "-O1" : word.value;
    else if (word.name == "--shrink")
      settings.shrink = true;
    else if (word.name == "--outside")
      settings.outside = true;
    else
      return false;
  }
  return true;
}

/// The kernel of a seed. A hash of the seed decides whether it has images, so that --images=0 does not change the rest.
Program kernel_of(uint64_t seed, const Settings &settings) {
  Program program = generate(seed);
  if (seed * 0x9e3779b97f4a7c15 >> 32 < (settings.images << 32) / 100) illustrate(program, seed);
  if (settings.outside) program.reach = 2 * kInputs;
  return program;
}

/// A smaller program has other values.
bool is_alike(const std::string &problem, const std::string &other) {
  constexpr std::string_view kDiffers = "differs:";
  return problem == other || (problem.starts_with(kDiffers) && other.starts_with(kDiffers));
}

void print_with_sizes(const Program &program) {
  std::printf("// global %zu %zu %zu, local %zu %zu %zu, arguments %u %u\n%s", program.global[0], program.global[1],
              program.global[2], program.local[0], program.local[1], program.local[2], program.arguments[0],
              program.arguments[1], print(program).c_str());
  std::fflush(stdout);
}

void report(Device &device, const Settings &settings, Program program, const std::string &problem) {
  std::printf("%s\n", problem.c_str());
  if (settings.shrink)
    program = shrunk(std::move(program), [&](const Program &each) { return is_alike(device.judge(each), problem); });
  if (settings.shrink || settings.print) print_with_sizes(program);
  std::fflush(stdout);
}

/// The message for a kernel that ends the process. A second run with --batch=1 --print shows this kernel.
std::array<char, 96> last_words{};

void announce(uint64_t seed, uint64_t count) {
  std::snprintf(last_words.data(), last_words.size(), "crashed in a kernel of the seeds %llu to %llu\n",
                static_cast<unsigned long long>(seed), static_cast<unsigned long long>(seed + count - 1));
}

extern "C" void say_last_words(int signal) {
  (void)!write(STDOUT_FILENO, last_words.data(), std::strlen(last_words.data()));
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

int main(int count, char **words) {
  Settings settings;
  if (!parse(count, words, settings)) {
    std::fprintf(stderr,
                 "usage: kernel_fuzz [--seed=N] [--count=N] [--seconds=N] [--batch=N] [--options=TEXT] [--images=PERCENT] "
                 "[--spirv[=LEVEL]] [--print] [--shrink] [--outside]\n");
    return 2;
  }
  if (settings.outside) setenv("UPSWEEP_CHECK", "memory", 1);
  Device device(settings.options, settings.level);
  if (!device.ready()) {
    std::fprintf(stderr, "kernel_fuzz: no OpenCL device\n");
    return 2;
  }
  if (!device.can_translate()) {
    std::fprintf(stderr, "kernel_fuzz: %s\n", upsweep::tests::SpirvTranslator::kMissing);
    return 77;
  }
  if (!device.has_images()) settings.images = 0;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) std::signal(signal, say_last_words);
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  uint64_t kernels = 0, problems = 0;
  while (kernels < settings.count && std::chrono::duration<double>(Clock::now() - start).count() < settings.seconds) {
    std::vector<Program> programs;
    for (uint64_t i = 0; i < std::min(settings.batch, settings.count - kernels); ++i)
      programs.push_back(kernel_of(settings.seed + kernels + i, settings));
    // Printed before the run, since the kernel may end the process.
    if (settings.print && settings.batch == 1) print_with_sizes(programs[0]);
    announce(settings.seed + kernels, programs.size());
    const std::vector<std::string> found = device.judge(programs);
    for (size_t i = 0; i < found.size(); ++i, ++kernels) {
      if (found[i].empty()) continue;
      ++problems;
      std::printf("seed %" PRIu64 ": ", settings.seed + kernels);
      report(device, settings, std::move(programs[i]), found[i]);
    }
  }
  std::printf("%llu kernels in %.0f s, %llu problems\n", static_cast<unsigned long long>(kernels),
              std::chrono::duration<double>(Clock::now() - start).count(), static_cast<unsigned long long>(problems));
  if (device.num_unoptimised() != 0)
    std::printf("%llu of the modules became SPIR-V at -O0, since the translator refuses them at %s\n",
                static_cast<unsigned long long>(device.num_unoptimised()), settings.level.c_str());
  if (device.num_refused() != 0)
    std::printf("%llu kernels were not run, since the translator refuses them\n",
                static_cast<unsigned long long>(device.num_refused()));
  return problems == 0 ? 0 : 1;
}
