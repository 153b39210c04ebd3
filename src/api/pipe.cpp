// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clCreatePipe, clGetPipeInfo.
#include "runtime/objects/pipe.h"
#include "api/entry.h"
#include "api/info.h"
#include "api/memory_flags.h"

using namespace upsweep;

namespace {

const InfoEntry<Pipe> kPipeInfo[] = {
    {CL_PIPE_PACKET_SIZE, [](const Pipe &p, const InfoOut &out) { return out.write<cl_uint>(p.packet_bytes()); }},
    {CL_PIPE_MAX_PACKETS, [](const Pipe &p, const InfoOut &out) { return out.write<cl_uint>(p.most_packets()); }},
    {CL_PIPE_PROPERTIES, [](const Pipe &p, const InfoOut &out) { return out.write_array(p.properties()); }},
};

Result<void> check_pipe_flags(cl_mem_flags flags) {
  if (flags & ~(CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS))
    return fail(CL_INVALID_VALUE, "flags of a pipe may be CL_MEM_READ_WRITE and CL_MEM_HOST_NO_ACCESS");
  return {};
}

Result<void> check_pipe_size(cl_uint packet_bytes, cl_uint most_packets) {
  if (packet_bytes == 0 || packet_bytes > kMostPacketBytes)
    return fail(CL_INVALID_PIPE_SIZE, "pipe_packet_size is " + std::to_string(packet_bytes) + ", allowed are 1 to " +
                                          std::to_string(kMostPacketBytes));
  if (most_packets == 0) return fail(CL_INVALID_PIPE_SIZE, "pipe_max_packets is 0");
  return {};
}

}  // namespace

cl_mem CL_API_CALL clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint pipe_packet_size, cl_uint pipe_max_packets,
                                const cl_pipe_properties *properties, cl_int *errcode_ret) {
  return entry(__func__, errcode_ret, [&]() -> Result<cl_mem> {
    auto owner = Context::from(context);
    if (!owner) return fail(owner);
    if (properties) return fail(CL_INVALID_VALUE, "properties must be null: pipes have none");
    if (auto checked = check_pipe_flags(flags); !checked) return fail(checked);
    if (auto checked = check_pipe_size(pipe_packet_size, pipe_max_packets); !checked) return fail(checked);
    flags |= CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS;  // the default
    return Pipe::create(**owner, flags, pipe_packet_size, pipe_max_packets, {}).map([](const Ref<Pipe> &pipe) -> cl_mem {
      return hand_out(pipe);
    });
  });
}

cl_int CL_API_CALL clGetPipeInfo(cl_mem pipe, cl_pipe_info param_name, size_t param_value_size, void *param_value,
                                 size_t *param_value_size_ret) {
  return entry(__func__, [&]() -> Result<void> {
    auto object = Pipe::from(pipe);
    if (!object) return fail(object);
    return answer_info(kPipeInfo, **object, param_name, {param_value_size, param_value, param_value_size_ret});
  });
}
