// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs random control flow on the default device and compares it with the interpreter.
//
//   flow_fuzz [--seed=N] [--count=N] [--seconds=N] [--batch=N] [--deepest=N] [--options=TEXT] [--patience=SECONDS] [--print]
//             [--edits=N,...]
//
// A kernel that does not end after --patience seconds is a failure and ends the run; its seed is printed. --seed=time draws
// another seed each time. flow_shrink.py finds a smaller kernel with the same failure. It passes --edits=N,N,..., which apply
// to the only kernel of the seed; the status is 3 if they make no program, and 4 if the last edit does not exist.
// UPSWEEP_LANES in the environment selects the pipeline that compiles the kernels.
#include "flow_program.h"
#include "run_settings.h"

#include "../tested_device.h"

#include <CL/cl.h>

#include <chrono>
#include <cinttypes>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <sstream>

namespace {

using namespace upsweep::fuzz;
using namespace upsweep::fuzz::flow;
using Clock = std::chrono::steady_clock;

struct Settings : RunSettings {
  int deepest = 4;
  double patience = 60;
  std::vector<size_t> edits;
};

bool parse(int count, char **words, Settings &settings) {
  for (int i = 1; i < count; ++i) {
    const Word word(words[i]);
    std::string number;
    if (settings.take(word)) continue;
    if (word.name == "--deepest")
      settings.deepest = static_cast<int>(word.number());
    else if (word.name == "--patience")
      settings.patience = std::strtod(word.value.c_str(), nullptr);
    else if (word.name == "--edits")
      for (std::istringstream list(word.value); std::getline(list, number, ',');) settings.edits.push_back(std::stoul(number));
    else
      return false;
  }
  return true;
}

/// Whether the event completes within the time. The callback may come later, so it owns its part of the state.
bool completes(cl_event event, double seconds) {
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    bool complete = false;
  };
  const auto state = std::make_shared<State>();
  const auto set = [](cl_event, cl_int, void *owned) {
    const std::unique_ptr<std::shared_ptr<State>> state(static_cast<std::shared_ptr<State> *>(owned));
    const std::lock_guard lock((*state)->mutex);
    (*state)->complete = true;
    (*state)->changed.notify_all();
  };
  clSetEventCallback(event, CL_COMPLETE, set, new std::shared_ptr<State>(state));
  std::unique_lock lock(state->mutex);
  return state->changed.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return state->complete; });
}

class Fuzzer {
public:
  explicit Fuzzer(const Settings &settings) : settings_(settings) {
    cl_platform_id platform = nullptr;
    if (clGetPlatformIDs(1, &platform, nullptr) != CL_SUCCESS) return;
    if (clGetDeviceIDs(platform, upsweep::tests::tested_device_type(), 1, &device_, nullptr) != CL_SUCCESS) return;
    context_ = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, nullptr);
    queue_ = clCreateCommandQueueWithProperties(context_, device_, nullptr, nullptr);
    in_ = buffer(sizeof inputs_, inputs_.data());
  }
  ~Fuzzer() {
    if (in_) clReleaseMemObject(in_);
    if (queue_) clReleaseCommandQueue(queue_);
    if (context_) clReleaseContext(context_);
  }
  Fuzzer(const Fuzzer &) = delete;
  Fuzzer &operator=(const Fuzzer &) = delete;

  [[nodiscard]] bool ready() const { return queue_ != nullptr; }

  int run() {
    const auto start = Clock::now();
    const auto passed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
    uint64_t kernels = 0;
    while (kernels < settings_.count && passed() < settings_.seconds) {
      const uint64_t batch = std::min(settings_.batch, settings_.count - kernels);
      judge(settings_.seed + kernels, batch);
      kernels += batch;
    }
    std::printf("%" PRIu64 " kernels from seed %" PRIu64 " in %.0f s, %" PRIu64 " problems\n", kernels, settings_.seed,
                passed(), problems_);
    return problems_ == 0 ? 0 : 1;
  }

private:
  cl_mem buffer(size_t bytes, void *from) {
    return clCreateBuffer(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, from, nullptr);
  }

  void report(uint64_t seed, const Program &program, const std::string &problem) {
    ++problems_;
    std::printf("seed %" PRIu64 ": %s\n", seed, problem.c_str());
    if (settings_.print)
      std::printf("// global %zu %zu, local %zu %zu, argument %u\n%s", program.global[0], program.global[1], program.local[0],
                  program.local[1], program.argument, print(program, "").c_str());
    std::fflush(stdout);
  }

  Program edited_as_told(Program program) const {
    for (size_t edit : settings_.edits) {
      bool last = false;
      std::optional<Program> smaller = edited(program, edit, last);
      if (!smaller) std::_Exit(last ? 4 : 3);
      program = *std::move(smaller);
    }
    return program;
  }

  void judge(uint64_t first, uint64_t count) {
    std::vector<Program> programs;
    std::string source;
    for (uint64_t i = 0; i < count; ++i) {
      programs.push_back(edited_as_told(generate(first + i, settings_.deepest)));
      if (upsweep::tests::tests_a_gpu()) programs.back().sub_group_size = 0;
      source += print(programs.back(), std::to_string(i));
    }
    const char *text = source.c_str();
    cl_program built = clCreateProgramWithSource(context_, 1, &text, nullptr, nullptr);
    const std::string options = "-cl-std=CL3.0 -w " + settings_.options;
    if (clBuildProgram(built, 1, &device_, options.c_str(), nullptr, nullptr) != CL_SUCCESS) {
      std::string log(4096, '\0');
      clGetProgramBuildInfo(built, device_, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
      if (count == 1)
        report(first, programs[0], "does not build: " + log.substr(0, log.find_first_of(std::string("\n\0", 2))));
      else
        for (uint64_t i = 0; i < count; ++i) judge(first + i, 1);
    } else {
      for (uint64_t i = 0; i < count; ++i) {
        const std::string problem = run(programs[i], built, "flow" + std::to_string(i));
        if (problem.empty()) continue;
        report(first + i, programs[i], problem);
        if (problem == kNoEnd) std::_Exit(1);
      }
    }
    clReleaseProgram(built);
  }

  std::string run(const Program &program, cl_program built, const std::string &name) {
    cl_kernel kernel = clCreateKernel(built, name.c_str(), nullptr);
    if (!kernel) return "has no kernel";
    const std::vector<uint32_t> wanted = interpret(program).value();
    std::vector<uint32_t> given(wanted.size());
    cl_mem out = buffer(4 * given.size(), given.data());
    clSetKernelArg(kernel, 0, sizeof out, &out);
    clSetKernelArg(kernel, 1, sizeof in_, &in_);
    clSetKernelArg(kernel, 2, 4, &program.argument);
    std::string problem;
    cl_event event = nullptr;
    const cl_int status =
        clEnqueueNDRangeKernel(queue_, kernel, 2, nullptr, program.global.data(), program.local.data(), 0, nullptr, &event);
    if (status != CL_SUCCESS) {
      problem = "cannot be enqueued: " + std::to_string(status);
    } else {
      clFlush(queue_);
      if (!completes(event, settings_.patience)) return kNoEnd;
      clReleaseEvent(event);
      if (clEnqueueReadBuffer(queue_, out, CL_TRUE, 0, 4 * given.size(), given.data(), 0, nullptr, nullptr) != CL_SUCCESS)
        problem = "cannot be read";
      else if (given != wanted)
        problem = difference(given, wanted);
    }
    clReleaseMemObject(out);
    clReleaseKernel(kernel);
    return problem;
  }

  static std::string difference(const std::vector<uint32_t> &given, const std::vector<uint32_t> &wanted) {
    size_t at = 0;
    while (given[at] == wanted[at]) ++at;
    return "differs: output " + std::to_string(at) + " is " + std::to_string(given[at]) + ", not " + std::to_string(wanted[at]);
  }

  static constexpr const char *kNoEnd = "does not end";
  const Settings &settings_;
  std::array<uint32_t, kInputs> inputs_ = inputs();
  cl_device_id device_ = nullptr;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  cl_mem in_ = nullptr;
  uint64_t problems_ = 0;
};

}  // namespace

int main(int count, char **words) {
  Settings settings;
  if (!parse(count, words, settings)) {
    std::fprintf(stderr,
                 "usage: flow_fuzz [--seed=N|time] [--count=N] [--seconds=N] [--batch=N] [--deepest=N] [--options=TEXT] "
                 "[--patience=SECONDS] [--print]\n");
    return 2;
  }
  Fuzzer fuzzer(settings);
  if (!fuzzer.ready()) {
    std::fprintf(stderr, "flow_fuzz: no OpenCL device\n");
    return 2;
  }
  return fuzzer.run();
}
