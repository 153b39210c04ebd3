// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls the selections and run lengths of the library for OpenCL queues.
#include "cli/files/device_compact.h"

#include "cli/files/element_text.h"

#include <upsweep/opencl/reduce_by_key.h>
#include <upsweep/opencl/select.h>

namespace upsweep::cli {
namespace {

enum Place : size_t { kIn, kOut, kFlags, kLengths, kCount };

// Reads the count that a call stored in `memory`, then that many elements of results.
Result<size_t> read_count(WorkDevice &device, cl_mem memory) {
  uint64_t count = 0;
  return device.download(memory, 0, &count, sizeof count).map([&] { return static_cast<size_t>(count); });
}

}  // namespace

DeviceSelect::DeviceSelect(WorkDevice &device, ElementType elements, ElementType flags, bool has_flags,
                           const Comparison &comparison)
    : device_(device), elements_(elements), flags_(flags), has_flags_(has_flags), comparison_(comparison) {}

Result<size_t> DeviceSelect::keep(const std::byte *elements, const std::byte *flags, std::byte *to, size_t n) {
  const size_t bytes = elements_.bytes();
  const auto in = device_.upload(kIn, elements, n * bytes);
  const auto stencil = has_flags_ ? device_.upload(kFlags, flags, n * flags_.bytes()) : in;
  const auto out = device_.room(kOut, n * bytes);
  const auto count = device_.room(kCount, sizeof(uint64_t));
  for (const auto *memory : {&in, &stencil, &out, &count})
    if (!*memory) return Failure(memory->error());
  const opencl::array x(bits_type(elements_), *in), result(bits_type(elements_), *out);
  const auto kept = opencl::buffer<uint64_t>(*count);
  const auto done = device_.call([&](cl_command_queue queue) {
    const auto text = keeping_text(flags_, comparison_);
    return has_flags_ ? opencl::select_by_stencil(x, opencl::array(bits_type(flags_), *stencil), result, kept, n, text, queue)
                      : opencl::select_if(x, result, kept, n, text, queue);
  });
  if (!done) return Failure(done.error());
  auto total = read_count(device_, *count);
  if (!total) return total;
  return device_.download(*out, 0, to, *total * bytes).map([&] { return *total; });
}

Result<size_t> find_runs(WorkDevice &device, ElementType type, const std::byte *elements, size_t n, std::byte *firsts,
                         uint64_t *lengths) {
  const auto in = device.upload(kIn, elements, n * type.bytes());
  const auto values = device.room(kOut, n * type.bytes());
  const auto counts = device.room(kLengths, n * sizeof(uint64_t));
  const auto count = device.room(kCount, sizeof(uint64_t));
  for (const auto *memory : {&in, &values, &counts, &count})
    if (!*memory) return Failure(memory->error());
  const auto done = device.call([&](cl_command_queue queue) {
    return opencl::run_length_encode(opencl::array(bits_type(type), *in), opencl::array(bits_type(type), *values),
                                     opencl::buffer<uint64_t>(*counts), opencl::buffer<uint64_t>(*count), n,
                                     equality_text(type), queue);
  });
  if (!done) return Failure(done.error());
  auto runs = read_count(device, *count);
  if (!runs) return runs;
  const auto read = device.download(*values, 0, firsts, *runs * type.bytes());
  return read.and_then([&] { return device.download(*counts, 0, lengths, *runs * sizeof(uint64_t)); }).map([&] {
    return *runs;
  });
}

}  // namespace upsweep::cli
