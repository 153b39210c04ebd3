// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clEnqueueNativeKernel.
#include "api/enqueue.h"
#include "api/entry.h"
#include "runtime/check/initialisation.h"
#include "runtime/objects/memory_object.h"
#include <cstring>

using namespace upsweep;

namespace {

using Function = void(CL_CALLBACK *)(void *);

struct NativeArguments {
  void *args;
  size_t bytes;
  cl_uint num_mem_objects;
  const cl_mem *mem_list;
  const void **args_mem_loc;
};

Result<void> check(Function function, const NativeArguments &arguments) {
  // "CL_INVALID_VALUE if user_func is NULL; if args is a NULL value and cb_args > 0, or if args is a NULL value and
  // num_mem_objects > 0; if args is not NULL and cb_args is 0; if num_mem_objects > 0 and mem_list or args_mem_loc are NULL; if
  // num_mem_objects = 0 and mem_list or args_mem_loc are not NULL"
  if (!function) return fail(CL_INVALID_VALUE, "user_func is null");
  if (!arguments.args && (arguments.bytes || arguments.num_mem_objects))
    return fail(CL_INVALID_VALUE, "args is null, but cb_args or num_mem_objects is not 0");
  if (arguments.args && arguments.bytes == 0) return fail(CL_INVALID_VALUE, "cb_args is 0, but args is not null");
  if (arguments.num_mem_objects && (!arguments.mem_list || !arguments.args_mem_loc))
    return fail(CL_INVALID_VALUE, "num_mem_objects is not 0, but mem_list or args_mem_loc is null");
  if (!arguments.num_mem_objects && (arguments.mem_list || arguments.args_mem_loc))
    return fail(CL_INVALID_VALUE, "num_mem_objects is 0, but mem_list or args_mem_loc is not null");
  return {};
}

/// A copy of the function's arguments, with memory objects replaced by pointers.
struct Prepared {
  std::vector<std::byte> bytes;
  std::vector<Ref<MemoryObject>> memory;
};

Result<Prepared> prepare(const NativeArguments &arguments) {
  Prepared prepared;
  auto *begin = static_cast<const std::byte *>(arguments.args);
  prepared.bytes.assign(begin, begin + arguments.bytes);
  for (cl_uint i = 0; i < arguments.num_mem_objects; ++i) {
    void *pointer = nullptr;
    // "CL_INVALID_MEM_OBJECT if one or more memory objects specified in mem_list are not valid or are not buffer objects"; a
    // null object becomes a null pointer.
    if (arguments.mem_list[i]) {
      auto memory = MemoryObject::from(arguments.mem_list[i]);
      if (!memory || (*memory)->type() != CL_MEM_OBJECT_BUFFER)
        return fail(CL_INVALID_MEM_OBJECT, "mem_list[" + std::to_string(i) + "] is not a buffer");
      prepared.memory.emplace_back(*memory);
      auto host = (*memory)->host();
      if (!host) return fail(host);
      pointer = *host;
    }
    size_t place = static_cast<size_t>(static_cast<const std::byte *>(arguments.args_mem_loc[i]) - begin);
    if (place > arguments.bytes || arguments.bytes - place < sizeof(pointer))
      return fail(CL_INVALID_VALUE, "args_mem_loc[" + std::to_string(i) + "] does not point into args");
    std::memcpy(prepared.bytes.data() + place, &pointer, sizeof(pointer));
  }
  return prepared;
}

}  // namespace

cl_int CL_API_CALL clEnqueueNativeKernel(cl_command_queue command_queue, Function user_func, void *args, size_t cb_args,
                                         cl_uint num_mem_objects, const cl_mem *mem_list, const void **args_mem_loc,
                                         cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event) {
  return entry(__func__, [&]() -> Result<void> {
    auto queue = Queue::from(command_queue);
    if (!queue) return fail(queue);
    // "CL_INVALID_OPERATION if the device associated with command_queue cannot execute the native kernel"
    if (!(*queue)->device().properties().runs_native_kernels)
      return fail(CL_INVALID_OPERATION, "the device does not run native kernels");
    NativeArguments arguments{args, cb_args, num_mem_objects, mem_list, args_mem_loc};
    if (auto checked = check(user_func, arguments); !checked) return checked;
    auto prepared = prepare(arguments);
    if (!prepared) return fail(prepared);
    // Without arguments the function gets a null pointer.
    auto run = [user_func, own = *std::move(prepared)]() mutable -> Result<void> {
      for (const Ref<MemoryObject> &memory : own.memory)
        if (auto current = memory->make_current_on_host(Access::kReadWrite, memory->whole()); !current) return current;
      user_func(own.bytes.empty() ? nullptr : own.bytes.data());
      for (const Ref<MemoryObject> &memory : own.memory)
        if (auto host = memory->host()) mark_written(*host, memory->size());
      return {};
    };
    return enqueue_checked(**queue, CL_COMMAND_NATIVE_KERNEL, HostWork(std::move(run)),
                           {num_events_in_wait_list, event_wait_list, event});
  });
}
