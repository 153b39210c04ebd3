// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Creation of programs: clCreateProgramWith{Source,Binary,BuiltInKernels,IL}, clRetainProgram, clReleaseProgram; and functions
// for a feature that no device has: release callbacks.
#include "runtime/objects/program.h"
#include "api/device_list.h"
#include "api/entry.h"
#include "runtime/objects/program_build.h"
#include "runtime/objects/specialisation.h"

using namespace upsweep;

namespace {

Result<std::string> join_sources(cl_uint count, const char **strings, const size_t *lengths) {
  if (count == 0 || !strings) return fail(CL_INVALID_VALUE, "count is 0 or strings is null");
  std::string source;
  for (cl_uint i = 0; i < count; ++i) {
    if (!strings[i]) return fail(CL_INVALID_VALUE, "strings[" + std::to_string(i) + "] is null");
    if (lengths && lengths[i])
      source.append(strings[i], lengths[i]);
    else
      source.append(strings[i]);
  }
  return source;
}

Result<std::vector<Ref<Device>>> check_devices(const Context &context, cl_uint count, const cl_device_id *devices) {
  if (count == 0 || !devices) return fail(CL_INVALID_VALUE, "num_devices is 0 or device_list is null");
  return devices_of_context(context, count, devices);
}

/// The parameters of clCreateProgramWithBinary for one device.
struct BinaryList {
  const size_t *lengths;
  const unsigned char **binaries;
  cl_int *statuses;
};

/// Stores the binaries in the program. Checks all of them, so that every status is set.
Result<void> load_binaries(Program &program, const BinaryList &list) {
  Result<void> outcome;
  for (size_t i = 0; i < program.devices().size(); ++i) {
    cl_int status = CL_SUCCESS;
    if (list.lengths[i] == 0 || !list.binaries[i]) {
      status = CL_INVALID_VALUE;
    } else {
      const ByteSpan bytes(list.binaries[i], list.lengths[i]);
      if (const auto type = binary_type(bytes))
        program.set_binary(i, {bytes.begin(), bytes.end()}, *type);
      else
        status = CL_INVALID_BINARY;
    }
    if (list.statuses) list.statuses[i] = status;
    if (status != CL_SUCCESS && outcome)
      outcome = fail(status, "binaries[" + std::to_string(i) + "] is empty, damaged or not made by this driver");
  }
  return outcome;
}

}  // namespace

cl_program CL_API_CALL clCreateProgramWithSource(cl_context context, cl_uint count, const char **strings, const size_t *lengths,
                                                 cl_int *errcode_ret) {
  return entry(__func__, errcode_ret, [&]() -> Result<cl_program> {
    auto owner = Context::from(context);
    if (!owner) return fail(owner);
    auto source = join_sources(count, strings, lengths);
    if (!source) return fail(source);
    const auto devices = (*owner)->devices();
    return hand_out(
        make_ref<Program>(**owner, std::vector(devices.begin(), devices.end()), Program::Origin::kSource, *std::move(source)));
  });
}

cl_program CL_API_CALL clCreateProgramWithBinary(cl_context context, cl_uint num_devices, const cl_device_id *device_list,
                                                 const size_t *lengths, const unsigned char **binaries, cl_int *binary_status,
                                                 cl_int *errcode_ret) {
  return entry(__func__, errcode_ret, [&]() -> Result<cl_program> {
    auto owner = Context::from(context);
    if (!owner) return fail(owner);
    auto devices = check_devices(**owner, num_devices, device_list);
    if (!devices) return fail(devices);
    if (!lengths || !binaries) return fail(CL_INVALID_VALUE, "lengths or binaries is null");
    auto program = make_ref<Program>(**owner, *std::move(devices), Program::Origin::kBinary);
    if (auto loaded = load_binaries(*program, {lengths, binaries, binary_status}); !loaded) return fail(loaded);
    return hand_out(program);
  });
}

cl_program CL_API_CALL clCreateProgramWithBuiltInKernels(cl_context context, cl_uint num_devices,
                                                         const cl_device_id *device_list, const char *kernel_names,
                                                         cl_int *errcode_ret) {
  return entry(__func__, errcode_ret, [&]() -> Result<cl_program> {
    auto owner = Context::from(context);
    if (!owner) return fail(owner);
    if (num_devices == 0 || !device_list) return fail(CL_INVALID_VALUE, "num_devices is 0 or device_list is null");
    // No device has built-in kernels, so every name is wrong.
    if (!kernel_names) return fail(CL_INVALID_VALUE, "kernel_names is null");
    if (auto devices = check_devices(**owner, num_devices, device_list); !devices) return fail(devices);
    return fail(CL_INVALID_VALUE, "the devices have no built-in kernels");
  });
}

cl_program CL_API_CALL clCreateProgramWithIL(cl_context context, const void *il, size_t length, cl_int *errcode_ret) {
  return entry(__func__, errcode_ret, [&]() -> Result<cl_program> {
    auto owner = Context::from(context);
    if (!owner) return fail(owner);
    if (!il || length == 0) return fail(CL_INVALID_VALUE, "il is null, or length is 0");
    const ByteSpan bytes(static_cast<const uint8_t *>(il), length);
    if (!is_spirv_header(bytes)) return fail(CL_INVALID_VALUE, "il has no header of SPIR-V 1.0 to 1.6");
    const auto devices = (*owner)->devices();
    return hand_out(make_ref<Program>(**owner, std::vector(devices.begin(), devices.end()), Program::Origin::kIntermediate,
                                      std::string(bytes.begin(), bytes.end())));
  });
}

cl_program CL_API_CALL clCreateProgramWithILKHR(cl_context context, const void *il, size_t length, cl_int *errcode_ret) {
  return clCreateProgramWithIL(context, il, length, errcode_ret);
}

cl_int CL_API_CALL clSetProgramSpecializationConstant(cl_program program, cl_uint spec_id, size_t spec_size,
                                                      const void *spec_value) {
  return entry(__func__, [&]() -> Result<void> {
    auto object = Program::from(program);
    if (!object) return fail(object);
    if ((*object)->origin() != Program::Origin::kIntermediate)
      return fail(CL_INVALID_PROGRAM, "the program was not created by clCreateProgramWithIL");
    if (!spec_value) return fail(CL_INVALID_VALUE, "spec_value is null");
    return (*object)->specialise(spec_id, {static_cast<const uint8_t *>(spec_value), spec_size});
  });
}

cl_int CL_API_CALL clSetProgramReleaseCallback(cl_program program, Program::Notify pfn_notify, void *user_data) {
  return entry(__func__, [&]() -> Result<void> {
    auto object = Program::from(program);
    if (!object) return fail(object);
    if (!pfn_notify) return fail(CL_INVALID_VALUE, "pfn_notify is null");
    return fail(CL_INVALID_OPERATION, "no device of the context supports destructors of program-scope variables");
  });
}

cl_int CL_API_CALL clRetainProgram(cl_program program) {
  return entry(__func__, [&] { return Program::from(program).map([](Program *object) { object->retain(); }); });
}

cl_int CL_API_CALL clReleaseProgram(cl_program program) {
  return entry(__func__, [&] { return Program::from(program).and_then([](Program *object) { return object->release(); }); });
}
