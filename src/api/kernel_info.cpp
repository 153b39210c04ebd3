// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clGetKernelInfo, clGetKernelArgInfo, clGetKernelWorkGroupInfo.
#include "api/entry.h"
#include "api/info.h"
#include "api/kernel_device.h"
#include <CL/cl_ext.h>
#include <array>

using namespace upsweep;

namespace {

const InfoEntry<Kernel> kKernelInfo[] = {
    {CL_KERNEL_FUNCTION_NAME, [](const Kernel &k, const InfoOut &out) { return out.write_string(k.description().name); }},
    {CL_KERNEL_NUM_ARGS,
     [](const Kernel &k, const InfoOut &out) { return out.write<cl_uint>(k.description().arguments.size()); }},
    {CL_KERNEL_REFERENCE_COUNT, [](const Kernel &k, const InfoOut &out) { return out.write<cl_uint>(k.application_count()); }},
    {CL_KERNEL_CONTEXT, [](const Kernel &k, const InfoOut &out) { return out.write<cl_context>(&k.context()); }},
    {CL_KERNEL_PROGRAM, [](const Kernel &k, const InfoOut &out) { return out.write<cl_program>(&k.program()); }},
    // "For kernels not created from OpenCL C source and the clCreateProgramWithSource API call the string returned from this
    // query will be empty."
    {CL_KERNEL_ATTRIBUTES,
     [](const Kernel &k, const InfoOut &out) {
       const bool is_from_text =
           k.program().origin() == Program::Origin::kSource || k.program().origin() == Program::Origin::kLink;
       return out.write_string(is_from_text ? k.description().attributes : "");
     }},
};

using Argument = ArgumentDescription;

const InfoEntry<Argument> kArgumentInfo[] = {
    {CL_KERNEL_ARG_ADDRESS_QUALIFIER,
     [](const Argument &a, const InfoOut &out) { return out.write<cl_kernel_arg_address_qualifier>(a.address_qualifier); }},
    {CL_KERNEL_ARG_ACCESS_QUALIFIER,
     [](const Argument &a, const InfoOut &out) { return out.write<cl_kernel_arg_access_qualifier>(a.access_qualifier); }},
    {CL_KERNEL_ARG_TYPE_NAME, [](const Argument &a, const InfoOut &out) { return out.write_string(a.type_name); }},
    {CL_KERNEL_ARG_TYPE_QUALIFIER,
     [](const Argument &a, const InfoOut &out) { return out.write<cl_kernel_arg_type_qualifier>(a.type_qualifier); }},
    {CL_KERNEL_ARG_NAME, [](const Argument &a, const InfoOut &out) { return out.write_string(a.name); }},
};

Result<void> write_compile_size(const KernelOnDevice &k, const InfoOut &out) {
  const auto &size = k.function.required_local_size;
  const std::array<size_t, 3> answer{size[0], size[1], size[2]};
  return out.write_array<size_t>(answer);
}

const InfoEntry<KernelOnDevice> kWorkGroupInfo[] = {
    {CL_KERNEL_WORK_GROUP_SIZE,
     [](const KernelOnDevice &k, const InfoOut &out) { return out.write<size_t>(max_work_group_size(k.device, k.function)); }},
    {CL_KERNEL_COMPILE_WORK_GROUP_SIZE, write_compile_size},
    {CL_KERNEL_LOCAL_MEM_SIZE,
     [](const KernelOnDevice &k, const InfoOut &out) { return out.write<cl_ulong>(k.kernel.local_bytes(k.function)); }},
    {CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE,
     [](const KernelOnDevice &k, const InfoOut &out) { return out.write<size_t>(k.function.sub_group_size); }},
    {CL_KERNEL_PRIVATE_MEM_SIZE,
     [](const KernelOnDevice &k, const InfoOut &out) { return out.write<cl_ulong>(k.function.private_bytes); }},
    // Registers spill to the worker's stack, which is not counted.
    {CL_KERNEL_SPILL_MEM_SIZE_INTEL, [](const KernelOnDevice &, const InfoOut &out) { return out.write<cl_ulong>(0); }},
    {CL_KERNEL_GLOBAL_WORK_SIZE,
     [](const KernelOnDevice &, const InfoOut &) -> Result<void> {
       return fail(CL_INVALID_VALUE, "CL_KERNEL_GLOBAL_WORK_SIZE is for custom devices and built-in kernels");
     }},
};

}  // namespace

cl_int CL_API_CALL clGetKernelInfo(cl_kernel kernel, cl_kernel_info param_name, size_t param_value_size, void *param_value,
                                   size_t *param_value_size_ret) {
  return entry(__func__, [&]() -> Result<void> {
    auto object = Kernel::from(kernel);
    if (!object) return fail(object);
    return answer_info(kKernelInfo, **object, param_name, {param_value_size, param_value, param_value_size_ret});
  });
}

cl_int CL_API_CALL clGetKernelArgInfo(cl_kernel kernel, cl_uint arg_index, cl_kernel_arg_info param_name,
                                      size_t param_value_size, void *param_value, size_t *param_value_size_ret) {
  return entry(__func__, [&]() -> Result<void> {
    auto object = Kernel::from(kernel);
    if (!object) return fail(object);
    const KernelDescription &description = (*object)->description();
    if (arg_index >= description.arguments.size())
      return fail(CL_INVALID_ARG_INDEX, "arg_index is " + std::to_string(arg_index) + ", the kernel has " +
                                            std::to_string(description.arguments.size()) + " arguments");
    if (!description.has_argument_info)
      return fail(CL_KERNEL_ARG_INFO_NOT_AVAILABLE, "the program was not built with -cl-kernel-arg-info");
    return answer_info(kArgumentInfo, description.arguments[arg_index], param_name,
                       {param_value_size, param_value, param_value_size_ret});
  });
}

cl_int CL_API_CALL clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info param_name,
                                            size_t param_value_size, void *param_value, size_t *param_value_size_ret) {
  return entry(__func__, [&]() -> Result<void> {
    auto object = kernel_on_device(kernel, device);
    if (!object) return fail(object);
    return answer_info(kWorkGroupInfo, *object, param_name, {param_value_size, param_value, param_value_size_ret});
  });
}
