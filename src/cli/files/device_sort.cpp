// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls the sorts of the library for OpenCL queues.
#include "cli/files/device_sort.h"

#include <upsweep/opencl/sort.h>

namespace upsweep::cli {
namespace {

enum Place : size_t { kKeys, kIndices };

}  // namespace

Result<void> sort_on_device(WorkDevice &device, const opencl::element_type &type, void *keys, size_t n, bool is_descending) {
  const auto memory = device.upload(kKeys, keys, n * type.bytes);
  if (!memory) return Failure(memory.error());
  const opencl::array x(type, *memory);
  const auto done = device.call([&](cl_command_queue queue) {
    return is_descending ? opencl::sort_keys(x, x, n, queue, opencl::descending) : opencl::sort_keys(x, x, n, queue);
  });
  return done.and_then([&] { return device.download(*memory, 0, keys, n * type.bytes); });
}

// Downloads only the indices, not the keys.
Result<void> arg_sort_on_device(WorkDevice &device, const opencl::element_type &type, void *keys,
                                const opencl::element_type &index, void *indices, size_t n, bool is_descending) {
  const auto memory = device.upload(kKeys, keys, n * type.bytes);
  const auto places = device.room(kIndices, n * index.bytes);
  if (!memory || !places) return Failure(memory ? places.error() : memory.error());
  const opencl::array x(type, *memory), to(index, *places);
  const auto done = device.call([&](cl_command_queue queue) {
    return is_descending ? opencl::arg_sort(x, x, to, n, queue, opencl::descending) : opencl::arg_sort(x, x, to, n, queue);
  });
  return done.and_then([&] { return device.download(*places, 0, indices, n * index.bytes); });
}

}  // namespace upsweep::cli
