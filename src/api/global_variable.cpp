// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clGetDeviceGlobalVariablePointerINTEL, clEnqueueReadGlobalVariableINTEL, clEnqueueWriteGlobalVariableINTEL.
#include "api/enqueue.h"
#include "api/entry.h"
#include "api/memory_checks.h"
#include "api/newer_functions.h"
#include "runtime/objects/program.h"

using namespace upsweep;

namespace {

/// A variable, and the code that has it.
struct FoundVariable {
  Ref<CodeObject> code;
  ProgramVariable variable;
};

Result<FoundVariable> find_variable(const Program &program, const Device &device, const char *name) {
  const auto index = program.index_of(device);
  Ref<CodeObject> code = index ? program.build_of(*index).code : nullptr;
  // "CL_INVALID_PROGRAM_EXECUTABLE if there is no successfully built program executable available for device"
  if (!code) return fail(CL_INVALID_PROGRAM_EXECUTABLE, "the program is not built for the device");
  if (!name) return fail(CL_INVALID_VALUE, "name is null");
  // "CL_INVALID_ARG_VALUE if name does not identify a global variable defined in program"
  const auto variable = code->variable(name);
  if (!variable) return fail(CL_INVALID_ARG_VALUE, std::string("the program has no global variable \"") + name + "\"");
  return FoundVariable{std::move(code), *variable};
}

/// The arguments that reads and writes share.
struct VariableArguments {
  cl_command_queue queue;
  cl_program program;
  const char *name;
  cl_bool is_blocking;
  size_t size, offset;
  const void *ptr;
  EventArguments events;
};

/// The queue, and the variable on its device.
struct VariableAccess {
  Queue &queue;
  FoundVariable found;
};

Result<VariableAccess> check_access(const VariableArguments &arguments) {
  auto queue = Queue::from(arguments.queue);
  if (!queue) return fail(queue);
  auto program = Program::from(arguments.program);
  if (!program) return fail(program);
  if (&(*program)->context() != &(*queue)->context())
    return fail(CL_INVALID_CONTEXT, "program and command_queue are of different contexts");
  auto found = find_variable(**program, (*queue)->device(), arguments.name);
  if (!found) return fail(found);
  if (!arguments.ptr) return fail(CL_INVALID_VALUE, "ptr is null");
  if (auto checked = check_host_range(arguments.ptr, arguments.size, "ptr"); !checked) return fail(checked);
  const uint64_t bytes = found->variable.bytes;
  if (arguments.offset > bytes || arguments.size > bytes - arguments.offset)
    return fail(CL_INVALID_VALUE, "offset " + std::to_string(arguments.offset) + " and size " + std::to_string(arguments.size) +
                                      " leave the variable of " + std::to_string(bytes) + " bytes");
  return VariableAccess{**queue, *std::move(found)};
}

Result<void> enqueue_access(const VariableArguments &arguments, bool writes) {
  auto access = check_access(arguments);
  if (!access) return fail(access);
  auto &[queue, found] = *access;
  const auto &[address, bytes, host_reads, host_writes] = found.variable;
  if (writes ? !host_writes : !host_reads)
    return fail(CL_INVALID_OPERATION, std::string("the host may not ") + (writes ? "write" : "read") + " the variable");
  char *at = address + arguments.offset;
  Place variable = queue.device().target().memory() ? place_on_device(at) : place_at(at);
  variable.code = found.code;  // the application may release the program before the command runs
  Place host = place_at(arguments.ptr);
  CopyTransfer copy = writes ? linear_copy(std::move(variable), std::move(host), arguments.size)
                             : linear_copy(std::move(host), std::move(variable), arguments.size);
  return enqueue_checked(queue, writes ? CL_COMMAND_WRITE_GLOBAL_VARIABLE_INTEL : CL_COMMAND_READ_GLOBAL_VARIABLE_INTEL,
                         Transfer(std::move(copy)), arguments.events, arguments.is_blocking != CL_FALSE);
}

}  // namespace

cl_int CL_API_CALL clGetDeviceGlobalVariablePointerINTEL(cl_device_id device, cl_program program, const char *name,
                                                         size_t *size_ret, void **pointer_ret) {
  return entry(__func__, [&]() -> Result<void> {
    auto on = Device::from(device);
    if (!on) return fail(on);
    auto object = Program::from(program);
    if (!object) return fail(object);
    if (!pointer_ret) return fail(CL_INVALID_VALUE, "pointer_ret is null");
    auto found = find_variable(**object, **on, name);
    if (!found) return fail(found);
    *pointer_ret = found->variable.address;
    if (size_ret) *size_ret = found->variable.bytes;
    return {};
  });
}

cl_int CL_API_CALL clEnqueueReadGlobalVariableINTEL(cl_command_queue command_queue, cl_program program, const char *name,
                                                    cl_bool blocking_read, size_t size, size_t offset, void *ptr,
                                                    cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                                    cl_event *event) {
  return entry(__func__, [&] {
    return enqueue_access(
        {command_queue, program, name, blocking_read, size, offset, ptr, {num_events_in_wait_list, event_wait_list, event}},
        false);
  });
}

cl_int CL_API_CALL clEnqueueWriteGlobalVariableINTEL(cl_command_queue command_queue, cl_program program, const char *name,
                                                     cl_bool blocking_write, size_t size, size_t offset, const void *ptr,
                                                     cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                                                     cl_event *event) {
  return entry(__func__, [&] {
    return enqueue_access(
        {command_queue, program, name, blocking_write, size, offset, ptr, {num_events_in_wait_list, event_wait_list, event}},
        true);
  });
}
