// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Creates pipes. Only kernels write the memory of packets, so parts that no kernel has written are never copied to a device.
#include "runtime/objects/pipe.h"
#include "base/pipe_abi.h"
#include "runtime/check/initialisation.h"
#include "runtime/memory/host_memory.h"
#include "runtime/objects/context.h"
#include "runtime/objects/device.h"
#include <algorithm>

namespace upsweep {
namespace {

/// Offset of the packets, after the header and the states.
size_t begin_of_packets(cl_uint most_packets) {
  const size_t states = sizeof(UpsweepPipe) + sizeof(uint32_t) * size_t{most_packets};
  return (states + UPSWEEP_PIPE_ALIGNMENT - 1) / UPSWEEP_PIPE_ALIGNMENT * UPSWEEP_PIPE_ALIGNMENT;
}

size_t most_bytes(const Context &context) {
  size_t most = 0;
  for (const Ref<Device> &device : context.devices()) most = std::max<size_t>(most, device->properties().max_allocation_bytes);
  return most;
}

}  // namespace

Result<Pipe *> Pipe::from(cl_mem handle) {
  Result<MemoryObject *> object = MemoryObject::from(handle);
  if (!object) return fail(object);
  if ((*object)->type() != CL_MEM_OBJECT_PIPE) return fail(CL_INVALID_MEM_OBJECT, "the memory object is not a pipe");
  return static_cast<Pipe *>(*object);
}

Result<Ref<Pipe>> Pipe::create(Context &context, cl_mem_flags flags, cl_uint packet_bytes, cl_uint most_packets,
                               std::vector<cl_mem_properties> properties) {
  const size_t begin = begin_of_packets(most_packets);
  const size_t size = begin + size_t{packet_bytes} * most_packets;  // 2^48 at most, since packets have up to 2^16 bytes
  if (size > most_bytes(context))
    return fail(CL_MEM_OBJECT_ALLOCATION_FAILURE, "a pipe of " + std::to_string(most_packets) + " packets of " +
                                                      std::to_string(packet_bytes) + " bytes is larger than any device allows");
  auto pipe = make_ref<Pipe>(Parts{.context = Ref(&context),
                                   .type = CL_MEM_OBJECT_PIPE,
                                   .flags = flags,
                                   .size = size,
                                   .properties = std::move(properties),
                                   .parent = nullptr},
                             packet_bytes, most_packets);
  auto memory = pipe->host();
  if (!memory) return fail(memory);
  if (auto written = pipe->make_current_on_host(Access::kWrite, {0, begin}); !written) return fail(written);
  clear_host_memory(*memory, begin);  // up to 16 GiB of states
  auto &header = *reinterpret_cast<UpsweepPipe *>(*memory);
  header.packet_bytes = packet_bytes;
  header.places = most_packets;
  header.packets = begin;
  if (!pipe->can_have_copies()) begin_object(*memory + begin, size - begin, false);
  return pipe;
}

}  // namespace upsweep
