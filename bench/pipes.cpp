// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packets per second through a pipe: a kernel writes them, and the next kernel reads them. For comparison, rings by C11
// atomics.
#include "bench/opencl/pipes.h"
#include "bench/harness.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace {

using namespace upsweep::bench;
using upsweep::cli::check;
using upsweep::cli::fail;

constexpr size_t kWorkGroup = 256;

struct Packet {
  const char *name;
  const char *options;
  size_t bytes;
};

constexpr Packet kPackets[] = {{"uint", "-DPACKET=uint -DFIRST(p)=(p)", 4},
                               {"uint4", "-DPACKET=uint4 -DFIRST(p)=(p).x", 16},
                               {"uint16", "-DPACKET=uint16 -DFIRST(p)=(p).s0", 64}};

struct Kernels {
  cl::Kernel write, read;
};

Result<Kernels> make_kernels(const Device &device, const Packet &packet, size_t packets, const std::string &way) {
  const std::string options = fmt::format("-cl-std=CL3.0 {} -DPLACES={}u", packet.options, packets);
  auto write = make_kernel(device, kPipesSource, options, ("write_" + way).c_str());
  if (!write) return Failure(write.error());
  auto read = make_kernel(device, kPipesSource, options, ("read_" + way).c_str());
  if (!read) return Failure(read.error());
  return Kernels{*write, *read};
}

/// Each packet holds its writer's number, so that all numbers must arrive.
std::function<Result<void>()> each_came(const Device &device, const cl::Buffer &got, size_t packets) {
  return [=]() -> Result<void> {
    auto values = read_buffer<cl_uint>(device, got, packets);
    if (!values) return Failure(values.error());
    std::ranges::sort(*values);
    for (size_t i = 0; i < packets; ++i)
      if ((*values)[i] != i) return fail("packet {} did not come, or came twice", i);
    return {};
  };
}

Prepared in_turns(const Device &device, const Kernels &kernels, const cl::Buffer &got, size_t packets,
                  std::vector<cl::Memory> memory) {
  const cl::NDRange global(packets), local(kWorkGroup);
  auto enqueue = [write = launch(device, kernels.write, global, local), read = launch(device, kernels.read, global, local)] {
    const cl_int error = write();
    return error ? error : read();
  };
  memory.push_back(got);
  return {enqueue, each_came(device, got, packets), std::move(memory)};
}

Result<Prepared> prepare_pipe(const Device &device, const Packet &packet, size_t packets, const char *way) {
  auto kernels = make_kernels(device, packet, packets, way);
  if (!kernels) return Failure(kernels.error());
  auto got = make_buffer(device, packets * sizeof(cl_uint), nullptr);
  if (!got) return Failure(got.error());
  cl_int error = CL_SUCCESS;
  const cl::Pipe pipe(device.context, static_cast<cl_uint>(packet.bytes), static_cast<cl_uint>(packets), &error);
  if (auto made = check(error, "create the pipe"); !made) return Failure(made.error());
  kernels->write.setArg(0, pipe);
  kernels->read.setArg(0, pipe);
  kernels->read.setArg(1, *got);
  return in_turns(device, *kernels, *got, packets, {pipe});
}

Result<Prepared> prepare_ring(const Device &device, const Packet &packet, size_t packets, const char *way) {
  auto kernels = make_kernels(device, packet, packets, way);
  if (!kernels) return Failure(kernels.error());
  std::vector<cl_uint> states(packets);
  std::iota(states.begin(), states.end(), 0u);
  const auto ends = make_buffer(device, 32 * sizeof(cl_uint), std::vector<cl_uint>(32).data());
  const auto state = make_buffer(device, packets * sizeof(cl_uint), states.data());
  const auto places = make_buffer(device, packets * packet.bytes, nullptr);
  const auto got = make_buffer(device, packets * sizeof(cl_uint), nullptr);
  for (const auto *buffer : {&ends, &state, &places, &got})
    if (!*buffer) return Failure(buffer->error());
  for (cl::Kernel *kernel : {&kernels->write, &kernels->read}) {
    kernel->setArg(0, *ends);
    kernel->setArg(1, *state);
    kernel->setArg(2, *places);
  }
  kernels->read.setArg(3, *got);
  return in_turns(device, *kernels, *got, packets, {*ends, *state, *places});
}

std::vector<Case> make_cases(const Options &options) {
  const size_t packets = size_t{1} << 20;
  std::vector<Case> cases;
  for (const Packet &packet : kPackets) {
    auto add = [&](const char *name, const char *way, auto prepare, bool is_yardstick) {
      Case one;
      one.name = name;
      one.variant = one.group = fmt::format("{}, 2^{}", packet.name, std::countr_zero(packets));
      one.elements = static_cast<double>(packets);
      one.unit = "Mpacket/s";
      one.is_yardstick = is_yardstick;
      one.prepare = [=](const Device &device) { return prepare(device, packet, packets, way); };
      cases.push_back(std::move(one));
    };
    add("write_pipe and read_pipe", "each", prepare_pipe, false);
    add("work-group reservations", "group", prepare_pipe, false);
    // On a GPU its compare-exchanges fail for minutes, since a hundred thousand work-items compete.
    if (!options.on_gpu()) add("ring, each work-item", "ring", prepare_ring, true);
    add("ring, each sub-group", "shared_ring", prepare_ring, true);
  }
  return cases;
}

}  // namespace

int main(int argc, char **argv) {
  const Suite suite = {
      "pipes", "Packets a second: one kernel writes all of them, the next reads all of them. The rings are OpenCL C with C11 "
               "atomics that keep a pipe's promises; each work-item, or each sub-group at once, takes its places by a "
               "compare-exchange."};
  return run_main(argc, argv, suite, make_cases);
}
