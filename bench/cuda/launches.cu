// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thousand small kernels in a row, as launches and as a CUDA graph, in JSON. bench_launches has the same kernels in its rows
// of enqueues and command buffers.
//
//     upsweepc --target=cuda --cpu=sm_90 -cl-std=CL3.0 bench/opencl/launch_latency.cl -o launches.ptx
//     bench_cuda_launches launches.ptx [REPEATS=51] > launches.json
//
// launches_us  1000 launches on a stream, until the host sees the end of the last.
// graph_us     the same, captured once from the stream and launched as one graph.
//
// Times are medians of the host's clock.
#include "targets/cuda/kernel_abi.h"
#include "timing.h"

#include <cuda.h>

#include <chrono>
#include <iterator>

namespace {

using upsweep::bench::DeviceBuffer;
using upsweep::bench::require;

constexpr int kRow = 1000;

// The driver's functions come from the runtime, so that the program links no library of the driver.
template <class Function>
Function find(const char *name) {
  void *function = nullptr;
  cudaDriverEntryPointQueryResult found;
#if CUDART_VERSION >= 12050
  require(cudaGetDriverEntryPointByVersion(name, &function, 12000, cudaEnableDefault, &found));
#else
  require(cudaGetDriverEntryPoint(name, &function, cudaEnableDefault, &found));
#endif
  if (!function) {
    std::fprintf(stderr, "the CUDA driver has no %s\n", name);
    std::exit(1);
  }
  return reinterpret_cast<Function>(function);
}

void check(CUresult result, const char *what) {
  if (result == CUDA_SUCCESS) return;
  std::fprintf(stderr, "%s failed with %d\n", what, static_cast<int>(result));
  std::exit(1);
}

struct Shape {
  const char *kernel;
  unsigned groups, work_group;
};
constexpr Shape kShapes[] = {{"touch", 1, 16}, {"touch", 64, 16}, {"turn", 16, 64}, {"turn", 64, 64}, {"turn", 1024, 64}};

// The launch of an index space of one dimension, as the driver passes it to its kernels.
UpsweepGrid grid_of(const Shape &shape) {
  UpsweepGrid grid{};
  for (int d = 0; d < 3; ++d) {
    grid.global_size[d] = grid.num_groups[d] = grid.enqueued_local_size[d] = 1;
  }
  grid.global_size[0] = std::uint64_t{shape.groups} * shape.work_group;
  grid.num_groups[0] = shape.groups;
  grid.enqueued_local_size[0] = shape.work_group;
  grid.work_dim = 1;
  return grid;
}

template <class Run>
double median_of(cudaStream_t stream, const Run &run, int repeats) {
  std::vector<double> times;
  for (int i = -2; i < repeats; ++i) {
    const auto start = std::chrono::steady_clock::now();
    run();
    require(cudaStreamSynchronize(stream));
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
    if (i >= 0) times.push_back(time.count());
  }
  std::nth_element(times.begin(), times.begin() + repeats / 2, times.end());
  return times[repeats / 2];
}

void verify(const DeviceBuffer &values, const Shape &shape) {
  std::vector<float> got(std::size_t{shape.groups} * shape.work_group);
  require(
      cudaMemcpy(got.data(), const_cast<DeviceBuffer &>(values).data(), got.size() * sizeof(float), cudaMemcpyDeviceToHost));
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] == static_cast<float>(i)) continue;
    std::fprintf(stderr, "%s: element %zu is %g\n", shape.kernel, i, got[i]);
    std::exit(1);
  }
}

void measure(CUfunction function, const Shape &shape, int repeats) {
  const auto launch = find<decltype(&cuLaunchKernel)>("cuLaunchKernel");
  DeviceBuffer values(std::size_t{shape.groups} * shape.work_group * sizeof(float));
  UpsweepGrid grid = grid_of(shape);
  void *data = values.data();
  void *parameters[] = {&data, &grid};
  cudaStream_t stream;
  require(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  const auto launch_row = [&] {
    for (int i = 0; i < kRow; ++i) {
      check(launch(function, shape.groups, 1, 1, shape.work_group, 1, 1, 0, stream, parameters, nullptr), "the launch");
    }
  };
  require(cudaMemset(data, 0xff, values.bytes()));
  const double launches_us = median_of(stream, launch_row, repeats);
  verify(values, shape);

  cudaGraph_t graph;
  cudaGraphExec_t executable;
  require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  launch_row();
  require(cudaStreamEndCapture(stream, &graph));
  require(cudaGraphInstantiateWithFlags(&executable, graph, 0));
  require(cudaMemset(data, 0xff, values.bytes()));
  const double graph_us = median_of(stream, [&] { require(cudaGraphLaunch(executable, stream)); }, repeats);
  verify(values, shape);
  require(cudaGraphExecDestroy(executable));
  require(cudaGraphDestroy(graph));
  require(cudaStreamDestroy(stream));
  std::printf(R"({"kernel": "%s", "groups": %u, "work_group": %u, "launches_us": %.1f, "graph_us": %.1f})", shape.kernel,
              shape.groups, shape.work_group, launches_us, graph_us);
}

}  // namespace

int main(int argc, char **argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s PTX [REPEATS]\n", argv[0]);
    return 1;
  }
  std::ifstream file(argv[1]);
  const std::string ptx{std::istreambuf_iterator<char>(file), {}};
  const int repeats = argc > 2 ? std::max(std::atoi(argv[2]), 1) : 51;
  require(cudaFree(nullptr));  // makes the context
  CUmodule module;
  check(find<decltype(&cuModuleLoadData)>("cuModuleLoadData")(&module, ptx.c_str()), "loading the PTX");
  const char *separator = "[";
  for (const Shape &shape : kShapes) {
    CUfunction function;
    check(find<decltype(&cuModuleGetFunction)>("cuModuleGetFunction")(&function, module, shape.kernel), shape.kernel);
    std::printf("%s", separator);
    measure(function, shape, repeats);
    separator = ",\n";
  }
  std::printf("]\n");
}
