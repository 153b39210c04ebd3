// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clGetProgramInfo, clGetProgramBuildInfo.
#include "api/entry.h"
#include "api/info.h"
#include "runtime/objects/program.h"

using namespace upsweep;

namespace {

/// An executable for any device; all have the same kernels.
Result<Ref<CodeObject>> any_code(const Program &program) {
  for (size_t i = 0; i < program.devices().size(); ++i)
    if (Ref<CodeObject> code = program.code_of(i)) return code;
  return fail(CL_INVALID_PROGRAM_EXECUTABLE, "the program is not built for any device");
}

Result<void> write_devices(const Program &program, const InfoOut &out) {
  std::vector<cl_device_id> devices;
  for (const Ref<Device> &device : program.devices()) devices.push_back(device.get());
  return out.write_array<cl_device_id>(devices);
}

Result<void> write_binary_sizes(const Program &program, const InfoOut &out) {
  std::vector<size_t> sizes;
  for (size_t i = 0; i < program.devices().size(); ++i) sizes.push_back(program.build_of(i).binary.size());
  return out.write_array<size_t>(sizes);
}

/// The application passes an array with a pointer to sufficient memory for each binary; null pointers skip binaries.
Result<void> write_binaries(const Program &program, const InfoOut &out) {
  const size_t bytes = program.devices().size() * sizeof(unsigned char *);
  if (out.value && out.size < bytes) return fail(CL_INVALID_VALUE, "param_value_size is too small for a pointer per device");
  if (out.value)
    for (size_t i = 0; i < program.devices().size(); ++i)
      if (unsigned char *to = static_cast<unsigned char **>(out.value)[i]) {
        const Bytes binary = program.build_of(i).binary;
        std::memcpy(to, binary.data(), binary.size());
      }
  if (out.size_ret) *out.size_ret = bytes;
  return {};
}

Result<void> write_num_kernels(const Program &program, const InfoOut &out) {
  return any_code(program).and_then([&](const Ref<CodeObject> &code) { return out.write<size_t>(code->kernels().size()); });
}

Result<void> write_kernel_names(const Program &program, const InfoOut &out) {
  return any_code(program).and_then([&](const Ref<CodeObject> &code) {
    std::string names;
    for (const KernelDescription &kernel : code->kernels()) names.append(names.empty() ? "" : ";").append(kernel.name);
    return out.write_string(names);
  });
}

bool is_text(const Program &program) { return program.origin() == Program::Origin::kSource; }

const InfoEntry<Program> kProgramInfo[] = {
    {CL_PROGRAM_REFERENCE_COUNT,
     [](const Program &p, const InfoOut &out) { return out.write<cl_uint>(p.application_count()); }},
    {CL_PROGRAM_CONTEXT, [](const Program &p, const InfoOut &out) { return out.write<cl_context>(&p.context()); }},
    {CL_PROGRAM_NUM_DEVICES,
     [](const Program &p, const InfoOut &out) { return out.write<cl_uint>(static_cast<cl_uint>(p.devices().size())); }},
    {CL_PROGRAM_DEVICES, write_devices},
    {CL_PROGRAM_SOURCE,
     [](const Program &p, const InfoOut &out) { return out.write_string(is_text(p) ? p.source() : std::string()); }},
    {CL_PROGRAM_IL,
     [](const Program &p, const InfoOut &out) {
       return p.origin() == Program::Origin::kIntermediate ? out.write_bytes(p.source().data(), p.source().size())
                                                           : out.write_bytes(nullptr, 0);
     }},
    {CL_PROGRAM_BINARY_SIZES, write_binary_sizes},
    {CL_PROGRAM_BINARIES, write_binaries},
    {CL_PROGRAM_NUM_KERNELS, write_num_kernels},
    {CL_PROGRAM_KERNEL_NAMES, write_kernel_names},
    {CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, [](const Program &, const InfoOut &out) { return out.write<cl_bool>(CL_FALSE); }},
    {CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT, [](const Program &, const InfoOut &out) { return out.write<cl_bool>(CL_FALSE); }},
};

const InfoEntry<DeviceBuild> kBuildInfo[] = {
    {CL_PROGRAM_BUILD_STATUS, [](const DeviceBuild &b, const InfoOut &out) { return out.write<cl_build_status>(b.status); }},
    {CL_PROGRAM_BUILD_OPTIONS, [](const DeviceBuild &b, const InfoOut &out) { return out.write_string(b.options); }},
    {CL_PROGRAM_BUILD_LOG, [](const DeviceBuild &b, const InfoOut &out) { return out.write_string(b.log); }},
    {CL_PROGRAM_BINARY_TYPE,
     [](const DeviceBuild &b, const InfoOut &out) { return out.write<cl_program_binary_type>(b.type); }},
    {CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE,
     [](const DeviceBuild &b, const InfoOut &out) { return out.write<size_t>(b.code ? b.code->program_scope_bytes() : 0); }},
};

}  // namespace

cl_int CL_API_CALL clGetProgramInfo(cl_program program, cl_program_info param_name, size_t param_value_size, void *param_value,
                                    size_t *param_value_size_ret) {
  return entry(__func__, [&]() -> Result<void> {
    auto object = Program::from(program);
    if (!object) return fail(object);
    return answer_info(kProgramInfo, **object, param_name, {param_value_size, param_value, param_value_size_ret});
  });
}

cl_int CL_API_CALL clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info param_name,
                                         size_t param_value_size, void *param_value, size_t *param_value_size_ret) {
  return entry(__func__, [&]() -> Result<void> {
    auto object = Program::from(program);
    if (!object) return fail(object);
    auto wanted = Device::from(device);
    if (!wanted) return fail(wanted);
    const auto index = (*object)->index_of(**wanted);
    if (!index) return fail(CL_INVALID_DEVICE, "device is not a device of the program");
    return answer_info(kBuildInfo, (*object)->build_of(*index), param_name,
                       {param_value_size, param_value, param_value_size_ret});
  });
}
