// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests whether waiting work-groups let earlier ones continue. OpenCL has no query for it, so it is tested once for a device
// of a context, on a queue of the library. A device that fails the test, or that is too busy to pass, uses three launches,
// which are right on every device.
#pragma once

#include <upsweep/opencl/detail/programs.h>

namespace upsweep::opencl::detail {

inline cl_int run_progress_test(Entry &entry, cl_command_queue queue, cl_program program, bool *passes) {
  const Device &device = entry.device;
  // More work-groups than run together, however many each compute unit runs.
  const std::size_t groups = std::min<std::size_t>(std::size_t(device.units) * 64, 16384);
  const std::size_t group = std::min<std::size_t>(32, device.max_group), items = groups * group;
  const cl_uint limit = device.is_cpu ? 1U << 24 : 1U << 18;  // 0.1 to 0.3 s of reads
  cl_int code = CL_SUCCESS;
  unique_handle<cl_kernel> kernel(clCreateKernel(program, "ups_progress", &code));
  if (code != CL_SUCCESS) return check(code, "clCreateKernel");
  std::vector<cl_ulong> words(groups + 2);
  unique_handle<cl_mem> memory(clCreateBuffer(entry.context.get(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                              words.size() * sizeof(cl_ulong), words.data(), &code));
  if (code != CL_SUCCESS) return check(code, "clCreateBuffer");
  cl_mem argument = memory.get();
  clSetKernelArg(kernel.get(), 0, sizeof argument, &argument);
  clSetKernelArg(kernel.get(), 1, sizeof limit, &limit);
  code = clEnqueueNDRangeKernel(queue, kernel.get(), 1, nullptr, &items, &group, 0, nullptr, nullptr);
  if (code != CL_SUCCESS) return check(code, "clEnqueueNDRangeKernel");
  code = clEnqueueReadBuffer(queue, argument, CL_TRUE, 0, words.size() * sizeof(cl_ulong), words.data(), 0, nullptr, nullptr);
  if (code != CL_SUCCESS) return check(code, "clEnqueueReadBuffer");
  *passes = words[1] == 0 && std::all_of(words.begin() + 2, words.end(), [](cl_ulong word) { return word == 1; });
  return CL_SUCCESS;
}

inline bool passes_progress_test(Entry &entry) {
  const Device &device = entry.device;
  if (!device.has_long_atomics) return false;
  Source source;
  source.define("UPS_GROUP", std::min<std::size_t>(32, device.max_group));
  source.define("UPS_ITEMS", 1);
  source.define("UPS_FUNCTIONS", std::uint64_t(0));
  source.define_type("UPS_T", type_of<cl_uint>::value());
  source.define_operator(plus{});
  for (const char *file :
       {kernels::operators, kernels::plain_state, kernels::work_group, kernels::look_back, kernels::progress}) {
    source.add_kernels(file);
  }
  Program program;
  cl_int code = program.build(entry.context.get(), device.id, source.text(), build_options(device.language()));
  if (code != CL_SUCCESS) return false;
  // The call of OpenCL 1.2, which all drivers have.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  const unique_handle<cl_command_queue> queue(clCreateCommandQueue(entry.context.get(), device.id, 0, &code));
#pragma GCC diagnostic pop
  bool passes = false;
  return code == CL_SUCCESS && run_progress_test(entry, queue.get(), program.handle.get(), &passes) == CL_SUCCESS && passes;
}

// The entry of a device, with its known properties.
inline std::shared_ptr<Entry> known_entry(cl_context context, cl_device_id id) {
  std::shared_ptr<Entry> entry = Programs::of_process().entry(context, id);
  const std::lock_guard lock(entry->mutex);
  if (!entry->is_known) {
    entry->device = describe(id);
    entry->kept.allow(device_value<cl_ulong>(id, CL_DEVICE_GLOBAL_MEM_SIZE) / 16);
    entry->device.makes_progress = passes_progress_test(*entry);
    entry->is_known = true;
  }
  return entry;
}

}  // namespace upsweep::opencl::detail
