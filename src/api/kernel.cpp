// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clCreateKernel, clCreateKernelsInProgram, clCloneKernel, clRetainKernel, clReleaseKernel, clSetKernelArg,
// clSetKernelArgSVMPointer, clSetKernelArgMemPointerINTEL, clSetKernelArgDevicePointerEXT, clSetKernelExecInfo.
#include "runtime/objects/kernel.h"
#include "api/entry.h"
#include "api/kernel_exec_info.h"
#include "api/newer_functions.h"
#include "base/unified_svm.h"
#include <CL/cl_ext.h>
#include <algorithm>

using namespace upsweep;

namespace {

/// "CL_INVALID_OPERATION if … no devices in the context associated with kernel support" unified shared memory of this kind.
Result<void> check_usm_access(const Kernel &kernel, bool (*supports)(const UsmCapabilities &)) {
  const auto devices = kernel.context().devices();
  if (std::ranges::any_of(devices, [&](const Ref<Device> &device) { return supports(device->properties().usm); })) return {};
  return fail(CL_INVALID_OPERATION, "no device of the kernel's context supports such allocations");
}

/// "CL_INVALID_OPERATION if no devices in the context associated with kernel support the cl_ext_buffer_device_address
/// extension"
Result<void> check_addresses_supported(const Kernel &kernel) {
  const auto supports = [](const Ref<Device> &device) {
    return has_extension(device->properties().features, "cl_ext_buffer_device_address");
  };
  if (std::ranges::any_of(kernel.context().devices(), supports)) return {};
  return fail(CL_INVALID_OPERATION, "no device of the kernel's context supports addresses of buffers");
}

Result<void> check_pointer_list(size_t size, const void *value) {
  // An empty list resets an earlier list.
  if (!value == (size == 0) && size % sizeof(void *) == 0) return {};
  return fail(CL_INVALID_VALUE, "param_value is not an array of pointers");
}

Result<void> check_bool_value(size_t size, const void *value) {
  if (value && size == sizeof(cl_bool)) return {};
  return fail(CL_INVALID_VALUE, "param_value is not a cl_bool");
}

}  // namespace

Result<void> upsweep::check_exec_info(const Kernel &kernel, cl_kernel_exec_info name, size_t size, const void *value) {
  switch (name) {
  case CL_KERNEL_EXEC_INFO_SVM_PTRS: return check_pointer_list(size, value);
  case CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM: return check_bool_value(size, value);
  case CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR: return check_bool_value(size, value);
  case CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT:
    return check_addresses_supported(kernel).and_then([&] { return check_pointer_list(size, value); });
  case CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL:
    return check_usm_access(kernel, [](const UsmCapabilities &usm) { return usm.device != 0; }).and_then([&] {
      return check_pointer_list(size, value);
    });
  case CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL:
    return check_usm_access(kernel, [](const UsmCapabilities &usm) { return usm.host != 0; }).and_then([&] {
      return check_bool_value(size, value);
    });
  case CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL:
    return check_usm_access(kernel, [](const UsmCapabilities &usm) { return usm.device != 0; }).and_then([&] {
      return check_bool_value(size, value);
    });
  case CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL:
    return check_usm_access(kernel, [](const UsmCapabilities &usm) { return usm.any_shared(); }).and_then([&] {
      return check_bool_value(size, value);
    });
  default: return fail(CL_INVALID_VALUE, "param_name " + std::to_string(name) + " is unknown");
  }
}

cl_kernel CL_API_CALL clCreateKernel(cl_program program, const char *kernel_name, cl_int *errcode_ret) {
  return entry(__func__, errcode_ret, [&]() -> Result<cl_kernel> {
    auto object = Program::from(program);
    if (!object) return fail(object);
    if (!kernel_name) return fail(CL_INVALID_VALUE, "kernel_name is null");
    return Kernel::create(**object, kernel_name).map([](const Ref<Kernel> &kernel) -> cl_kernel { return hand_out(kernel); });
  });
}

cl_int CL_API_CALL clCreateKernelsInProgram(cl_program program, cl_uint num_kernels, cl_kernel *kernels,
                                            cl_uint *num_kernels_ret) {
  return entry(__func__, [&]() -> Result<void> {
    auto object = Program::from(program);
    if (!object) return fail(object);
    auto created = Kernel::create_all(**object);
    if (!created) return fail(created);
    if (kernels && num_kernels < created->size())
      return fail(CL_INVALID_VALUE, "num_kernels is " + std::to_string(num_kernels) + ", the program has " +
                                        std::to_string(created->size()) + " kernels");
    for (size_t i = 0; kernels && i < created->size(); ++i) kernels[i] = hand_out((*created)[i]);
    if (num_kernels_ret) *num_kernels_ret = static_cast<cl_uint>(created->size());
    return {};
  });
}

cl_kernel CL_API_CALL clCloneKernel(cl_kernel source_kernel, cl_int *errcode_ret) {
  return entry(__func__, errcode_ret, [&] {
    return Kernel::from(source_kernel).map([](const Kernel *kernel) -> cl_kernel { return hand_out(kernel->clone()); });
  });
}

cl_int CL_API_CALL clRetainKernel(cl_kernel kernel) {
  return entry(__func__, [&] { return Kernel::from(kernel).map([](Kernel *object) { object->retain(); }); });
}

cl_int CL_API_CALL clReleaseKernel(cl_kernel kernel) {
  return entry(__func__, [&] { return Kernel::from(kernel).and_then([](Kernel *object) { return object->release(); }); });
}

cl_int CL_API_CALL clSetKernelArg(cl_kernel kernel, cl_uint arg_index, size_t arg_size, const void *arg_value) {
  return entry(__func__, [&] {
    return Kernel::from(kernel).and_then([&](Kernel *object) { return object->set_argument(arg_index, arg_size, arg_value); });
  });
}

cl_int CL_API_CALL clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint arg_index, const void *arg_value) {
  return entry(__func__, [&] {
    return Kernel::from(kernel).and_then([&](Kernel *object) { return object->set_pointer(arg_index, arg_value); });
  });
}

cl_int CL_API_CALL clSetKernelArgMemPointerINTEL(cl_kernel kernel, cl_uint arg_index, const void *arg_value) {
  return entry(__func__, [&] {
    return Kernel::from(kernel).and_then([&](Kernel *object) { return object->set_pointer(arg_index, arg_value); });
  });
}

cl_int CL_API_CALL clSetKernelArgDevicePointerEXT(cl_kernel kernel, cl_uint arg_index, cl_mem_device_address_ext arg_value) {
  return entry(__func__, [&]() -> Result<void> {
    auto object = Kernel::from(kernel);
    if (!object) return fail(object);
    if (auto supported = check_addresses_supported(**object); !supported) return supported;
    // "CL_INVALID_ARG_INDEX if arg_index corresponds to an argument that is not a pointer to the global address space"
    const auto &arguments = (*object)->description().arguments;
    if (arg_index < arguments.size() && arguments[arg_index].kind != ArgumentKind::kGlobal)
      return fail(CL_INVALID_ARG_INDEX, "argument " + std::to_string(arg_index) + " is not a pointer to global memory");
    return (*object)->set_pointer(arg_index, reinterpret_cast<const void *>(arg_value));
  });
}

cl_int CL_API_CALL clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info param_name, size_t param_value_size,
                                       const void *param_value) {
  return entry(__func__, [&] {
    return Kernel::from(kernel).and_then(
        [&](const Kernel *object) { return check_exec_info(*object, param_name, param_value_size, param_value); });
  });
}
