// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pipes: ring buffers (base/pipe_abi.h) that only kernels read and write. They move between devices as buffers do.
#ifndef UPSWEEP_RUNTIME_OBJECTS_PIPE_H
#define UPSWEEP_RUNTIME_OBJECTS_PIPE_H

#include "runtime/objects/memory_object.h"

namespace upsweep {

/// CL_DEVICE_PIPE_MAX_PACKET_SIZE
constexpr cl_uint kMostPacketBytes = 1 << 16;

class Pipe final : public MemoryObject {
public:
  /// The pipe behind a handle; CL_INVALID_MEM_OBJECT for any other memory object.
  static Result<Pipe *> from(cl_mem handle);

  /// An empty pipe for up to `most_packets` packets of `packet_bytes` bytes (1 to kMostPacketBytes); both are at least 1.
  /// CL_MEM_OBJECT_ALLOCATION_FAILURE, also if it would not fit on any device.
  static Result<Ref<Pipe>> create(Context &context, cl_mem_flags flags, cl_uint packet_bytes, cl_uint most_packets,
                                  std::vector<cl_mem_properties> properties);

  cl_uint packet_bytes() const { return packet_bytes_; }
  cl_uint most_packets() const { return most_packets_; }

  Pipe(Parts parts, cl_uint packet_bytes, cl_uint most_packets)
      : MemoryObject(std::move(parts)), packet_bytes_(packet_bytes), most_packets_(most_packets) {}

private:
  const cl_uint packet_bytes_;
  const cl_uint most_packets_;
};

}  // namespace upsweep
#endif
