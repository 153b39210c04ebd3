// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random kernels that wait; each must end before a deadline: wait_fuzz [--seed=N] [--count=N] [--options=TEXT] [--print=N]
// [--deadline=S]. A child process runs them and is ended when one hangs; the next child goes on behind that kernel. The exit
// status is 1 when a kernel hangs or gives a wrong result.
#include "wait_kernel.h"

#include "../tested_device.h"

#include <CL/cl.h>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace upsweep::fuzz {
namespace {

constexpr size_t kBatch = 24;  // kernels of one program

struct Settings {
  size_t seed = 1, count = 96, deadline = 60;
  std::string options;
  long print = -1;
};

WaitKernel make(const Settings &settings, size_t number) {
  Random random(settings.seed * 1'000'003 + number);
  const std::string name = "waits" + std::to_string(number);
  for (;;) {
    const size_t kind = pick(random, 3);
    WaitKernel kernel = kind == 0 ? make_poll(random, name) : kind == 1 ? make_lock(random, name) : make_nested(random, name);
    if (kernel.ends_on_gpus || !tests::tests_a_gpu()) return kernel;
  }
}

class Runner {
public:
  bool open();
  std::string build(const std::string &source, const std::string &options);
  std::string run(const WaitKernel &kernel, const std::string &name);

private:
  cl_device_id device_ = nullptr;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  cl_program program_ = nullptr;
};

bool Runner::open() {
  cl_platform_id platform = nullptr;
  if (clGetPlatformIDs(1, &platform, nullptr) != CL_SUCCESS) return false;
  if (clGetDeviceIDs(platform, tests::tested_device_type(), 1, &device_, nullptr) != CL_SUCCESS) return false;
  context_ = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, nullptr);
  queue_ = clCreateCommandQueueWithProperties(context_, device_, nullptr, nullptr);
  return queue_ != nullptr;
}

std::string Runner::build(const std::string &source, const std::string &options) {
  const char *text = source.c_str();
  if (program_) clReleaseProgram(program_);
  program_ = clCreateProgramWithSource(context_, 1, &text, nullptr, nullptr);
  if (clBuildProgram(program_, 1, &device_, ("-cl-std=CL3.0 -w " + options).c_str(), nullptr, nullptr) == CL_SUCCESS) return {};
  std::string log(4096, '\0');
  clGetProgramBuildInfo(program_, device_, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
  return "does not build: " + std::string(log.c_str());
}

std::string Runner::run(const WaitKernel &kernel, const std::string &name) {
  const Sizes global = kernel.shape.global();
  std::vector<int> out(kernel.shape.items() * kernel.shape.groups, -1), room(kRoomInts, 0);
  cl_kernel made = clCreateKernel(program_, name.c_str(), nullptr);
  if (!made) return "has no kernel";
  auto buffer = [&](std::vector<int> &from) {
    return clCreateBuffer(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, from.size() * sizeof(int), from.data(), nullptr);
  };
  cl_mem out_buffer = buffer(out), room_buffer = buffer(room);
  clSetKernelArg(made, 0, sizeof out_buffer, &out_buffer);
  clSetKernelArg(made, 1, sizeof room_buffer, &room_buffer);
  clSetKernelArg(made, 2, kHereInts * sizeof(int), nullptr);
  cl_int status =
      clEnqueueNDRangeKernel(queue_, made, 3, nullptr, global.data(), kernel.shape.local.data(), 0, nullptr, nullptr);
  auto read = [&](cl_mem from, std::vector<int> &to) {
    if (status == CL_SUCCESS)
      status = clEnqueueReadBuffer(queue_, from, CL_TRUE, 0, to.size() * sizeof(int), to.data(), 0, nullptr, nullptr);
  };
  read(out_buffer, out);
  read(room_buffer, room);
  clReleaseMemObject(out_buffer);
  clReleaseMemObject(room_buffer);
  clReleaseKernel(made);
  return status == CL_SUCCESS ? kernel.check(out, room) : "fails with " + std::to_string(status);
}

void report(int pipe, const std::string &line) {
  const std::string text = line.substr(0, line.find('\n')) + "\n";
  if (write(pipe, text.data(), text.size()) < 0) std::_Exit(2);
}

/// Runs in the child: prints a line for each kernel from `first` on.
void run_batches(const Settings &settings, size_t first, int pipe) {
  Runner runner;
  if (!runner.open()) std::_Exit(3);
  for (size_t begin = first; begin < settings.count; begin += kBatch) {
    const size_t end = std::min(settings.count, begin + kBatch);
    std::string source;
    for (size_t i = begin; i < end; ++i) source += make(settings, i).source;
    const std::string problem = runner.build(source, settings.options);
    for (size_t i = begin; i < end; ++i)
      report(pipe, problem.empty() ? runner.run(make(settings, i), "waits" + std::to_string(i)) : problem);
  }
  std::_Exit(0);
}

/// The next line, without its end; false if the child writes none in time, or has ended.
bool read_line(int pipe, std::string &pending, std::string &line, size_t deadline) {
  for (;;) {
    if (const size_t end = pending.find('\n'); end != std::string::npos) {
      line = pending.substr(0, end);
      pending.erase(0, end + 1);
      return true;
    }
    pollfd readable{pipe, POLLIN, 0};
    if (poll(&readable, 1, static_cast<int>(deadline * 1000)) <= 0) return false;
    char text[4096];
    const ssize_t bytes = read(pipe, text, sizeof text);
    if (bytes <= 0) return false;
    pending.append(text, static_cast<size_t>(bytes));
  }
}

/// Runs kernels from `first` on until a kernel hangs or ends the child. Returns the number of the next kernel.
size_t run_child(const Settings &settings, size_t first, size_t &failures) {
  int ends[2];
  if (pipe(ends) != 0) std::exit(2);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    run_batches(settings, first, ends[1]);
  }
  close(ends[1]);
  std::string pending, line;
  size_t next = first;
  auto fail = [&](const char *problem) {
    std::printf("seed %zu kernel %zu %s\n", settings.seed, next, problem);
    std::fflush(stdout);
    ++failures;
  };
  for (; next < settings.count; ++next) {
    if (!read_line(ends[0], pending, line, settings.deadline)) {
      kill(child, SIGKILL);
      int status = 0;
      waitpid(child, &status, 0);
      if (WIFEXITED(status) && WEXITSTATUS(status) == 3) {
        std::fputs("there is no such device\n", stderr);
        std::exit(2);
      }
      fail(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL ? "hangs" : "ends the process");
      close(ends[0]);
      return next + 1;
    }
    if (!line.empty()) fail(line.c_str());
  }
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return next;
}

size_t number_of(const char *argument, const char *name, size_t otherwise) {
  const size_t length = std::strlen(name);
  return std::strncmp(argument, name, length) == 0 ? std::strtoull(argument + length, nullptr, 10) : otherwise;
}

}  // namespace
}  // namespace upsweep::fuzz

int main(int argc, char **argv) {
  using namespace upsweep::fuzz;
  Settings settings;
  for (int i = 1; i < argc; ++i) {
    settings.seed = number_of(argv[i], "--seed=", settings.seed);
    settings.count = number_of(argv[i], "--count=", settings.count);
    settings.deadline = number_of(argv[i], "--deadline=", settings.deadline);
    settings.print = static_cast<long>(number_of(argv[i], "--print=", static_cast<size_t>(settings.print)));
    if (std::string_view(argv[i]).starts_with("--options=")) settings.options = argv[i] + std::strlen("--options=");
  }
  if (settings.print >= 0) {
    std::fputs(make(settings, static_cast<size_t>(settings.print)).source.c_str(), stdout);
    return 0;
  }
  size_t failures = 0;
  for (size_t next = 0; next < settings.count;) next = run_child(settings, next, failures);
  std::printf("%zu kernels, %zu failures\n", settings.count, failures);
  return failures ? 1 : 0;
}
