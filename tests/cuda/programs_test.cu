// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans in programs that use the GPU otherwise too: next to kernels that occupy multiprocessors, on a part of the GPU, with a
// pending error of the program, from several threads, and with invalid workspaces.
#include "part_of_gpu.h"
#include "programs_check.h"

#include <unistd.h>

#include <cstdlib>
#include <thread>

using namespace upsweep::test;

UPSWEEP_TEST(GivenAKernelThatHoldsMultiprocessors_WhenItWaitsForScans_ThenTheyEnd) {
  std::vector<Program> programs = programs_of_arrays();
  for (const Program &program : programs_of_strips()) {
    programs.push_back(program);
  }
  cudaStream_t stream;
  UPSWEEP_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (const Program &program : programs) {
    UPSWEEP_CUDA(program.queue(stream));
    program.poison();
  }
  UPSWEEP_CUDA(cudaDeviceSynchronize());
  for (const int free : {1, 3, 50}) {
    {
      const Holding holding(free);
      for (const Program &program : programs) {
        UPSWEEP_CUDA(program.queue(stream));
      }
      UPSWEEP_CHECK(ends(stream));
    }
    for (const Program &program : programs) {
      program.check("beside a kernel");
      program.poison();
    }
  }
  UPSWEEP_CUDA(cudaStreamDestroy(stream));
}

UPSWEEP_TEST(GivenAPartOfTheGpu_WhenScanned_ThenResultsAreRight) {
  const PartOfGpu part(16);
  if (part.stream() == nullptr) {
    std::printf("not run: this driver makes no contexts of a part of the GPU\n");
    return;
  }
  for (const auto &programs : {programs_of_arrays(), programs_of_axes()}) {
    for (const Program &program : programs) {
      UPSWEEP_CUDA(program.queue(part.stream()));
      UPSWEEP_CUDA(cudaStreamSynchronize(part.stream()));
      program.check("in a part");
      UPSWEEP_CUDA(cudaGetLastError());
    }
  }
}

UPSWEEP_TEST(GivenAnErrorThatIsNotFetched_WhenScanned_ThenItStaysTheProgramsAndTheScanHasItsOwn) {
  for (const auto &programs : {programs_of_arrays(), programs_of_axes()}) {
    for (const Program &program : programs) {
      UPSWEEP_CUDA(program.queue(nullptr));  // the first call may set up the kernel
      program.poison();
      UPSWEEP_CHECK(cudaSetDevice(9999) == cudaErrorInvalidDevice);
      UPSWEEP_CUDA(program.queue(nullptr));
      UPSWEEP_CHECK(cuda::inclusive_sum(cuda::workspace(), static_cast<int *>(nullptr), static_cast<int *>(nullptr), 1) ==
                    cudaErrorInvalidValue);
      UPSWEEP_CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
      program.check("with an error");
    }
  }
}

// Kernels of one type that need shared memory of different sizes.
UPSWEEP_TEST(GivenSeveralThreads_WhenTheyScanAlongAxesOfManyShapes_ThenEachIsRight) {
  constexpr int kThreads = 8, kRounds = 20;
  std::vector<std::vector<Program>> programs(kThreads);
  for (int t = 0; t < kThreads; ++t) {
    for (std::size_t i = 0; i < 4; ++i) {
      programs[t].push_back(program_of_axis(1 + (t + i) % 3, 500 + 997 * t, 1 + 37 * ((t * 4 + i) % 17)));
    }
    programs[t].push_back(program_of_array(40000 * (t + 1)));
  }
  std::vector<cudaError_t> errors(kThreads, cudaSuccess);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      cudaStream_t stream;
      errors[t] = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
      for (int round = 0; round < kRounds; ++round) {
        for (const Program &program : programs[t]) {
          const cudaError_t error = program.queue(stream);
          errors[t] = errors[t] == cudaSuccess ? error : errors[t];
        }
      }
      const cudaError_t error = cudaStreamSynchronize(stream);
      errors[t] = errors[t] == cudaSuccess ? error : errors[t];
      cudaStreamDestroy(stream);
    });
  }
  for (std::thread &thread : threads) {
    thread.join();
  }
  for (int t = 0; t < kThreads; ++t) {
    UPSWEEP_CUDA(errors[t]);
    for (const Program &program : programs[t]) {
      program.check("of a thread");
    }
  }
}

namespace {

// In a separate program, since the expected error ends its use of the GPU.
constexpr char kBroken[] = "UPSWEEP_TEST_BROKEN_WORKSPACE";
constexpr int kFound = 3, kNotFound = 4;

int scan_with_broken_workspace(int kind, int content) {
  const std::size_t n = 3000000;
  DeviceArray<std::uint32_t> in(n), out(n);
  cuda::axis of;
  of.length = 20000;
  of.inner = kind == 2 ? 128 : 16;
  DeviceArray<unsigned char> bytes(std::max(cuda::scan_workspace_bytes<std::uint32_t>(n),
                                            cuda::axis_scan_workspace_bytes<std::uint32_t>(of)));  // poisoned
  cuda::workspace space;
  space.data = bytes.data();
  space.bytes = bytes.bytes();
  if (content == 1) {
    std::vector<unsigned char> random(bytes.bytes());
    std::generate(random.begin(), random.end(), [] { return static_cast<unsigned char>(generator()()); });
    bytes.upload(random);
  } else if (content == 2) {
    UPSWEEP_CUDA(cuda::initialise(space));
    UPSWEEP_CUDA(cuda::inclusive_sum(space, in.data(), out.data(), n));
    UPSWEEP_CUDA(cudaMemset(space.data, 0x11, 64));
  }
  cudaError_t error = cudaErrorUnknown;
  switch (kind) {
  case 0: error = cuda::inclusive_sum(space, in.data(), out.data(), 300000); break;
  case 1: error = cuda::inclusive_sum(space, in.data(), out.data(), n); break;
  default: error = cuda::inclusive_sum_of_axis(space, in.data(), out.data(), of);
  }
  return error == cudaSuccess && cudaDeviceSynchronize() != cudaSuccess ? kFound : kNotFound;
}

}  // namespace

UPSWEEP_TEST(GivenAWorkspaceThatIsNone_WhenScanned_ThenThereIsAnError) {
  if (const char *const broken = std::getenv(kBroken)) {
    std::_Exit(scan_with_broken_workspace(broken[0] - '0', broken[1] - '0'));
  }
  char self[4096] = {};
  UPSWEEP_CHECK(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
  for (const char kind : {'0', '1', '2', '3'}) {
    for (const char content : {'0', '1', '2'}) {
      const std::string command =
          std::string(kBroken) + "=" + kind + content + " '" + self + "' GivenAWorkspaceThatIsNone >/dev/null 2>&1";
      const int status = std::system(command.c_str());
      if (!WIFEXITED(status) || WEXITSTATUS(status) != kFound) {
        report(__FILE__, __LINE__, command.c_str());
      }
    }
  }
}
