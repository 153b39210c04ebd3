// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types and names of cl_khr_command_buffer 0.9.8 and cl_khr_command_buffer_mutable_dispatch 0.9.5. The headers of Debian 12 and
// Ubuntu 24.04 have older versions. A definition that is also in these headers is equal there, so both may be included; the
// structures of an update differ, and have names of their own.
#ifndef UPSWEEP_BASE_COMMAND_BUFFERS_H
#define UPSWEEP_BASE_COMMAND_BUFFERS_H

#include <CL/cl.h>

// NOLINTBEGIN(bugprone-macro-parentheses,bugprone-reserved-identifier): equal to the headers' definitions
using cl_device_command_buffer_capabilities_khr = cl_bitfield;
using cl_command_buffer_khr = struct _cl_command_buffer_khr *;
using cl_sync_point_khr = cl_uint;
using cl_command_buffer_info_khr = cl_uint;
using cl_command_buffer_state_khr = cl_uint;
using cl_command_buffer_properties_khr = cl_properties;
using cl_command_buffer_flags_khr = cl_bitfield;
using cl_command_properties_khr = cl_properties;
using cl_mutable_command_khr = struct _cl_mutable_command_khr *;
using cl_command_buffer_update_type_khr = cl_uint;
using cl_mutable_dispatch_fields_khr = cl_bitfield;
using cl_mutable_dispatch_asserts_khr = cl_bitfield;
using cl_mutable_command_info_khr = cl_uint;

// cl_khr_command_buffer
#define CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR 0x12A9
#define CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR 0x129A
#define CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR 0x12AA
#define CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR (1 << 0)
#define CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR (1 << 1)
#define CL_COMMAND_BUFFER_FLAGS_KHR 0x1293
#define CL_INVALID_COMMAND_BUFFER_KHR -1138
#define CL_INVALID_SYNC_POINT_WAIT_LIST_KHR -1139
#define CL_INCOMPATIBLE_COMMAND_QUEUE_KHR -1140
#define CL_COMMAND_BUFFER_QUEUES_KHR 0x1294
#define CL_COMMAND_BUFFER_NUM_QUEUES_KHR 0x1295
#define CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR 0x1296
#define CL_COMMAND_BUFFER_STATE_KHR 0x1297
#define CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR 0x1298
#define CL_COMMAND_BUFFER_CONTEXT_KHR 0x1299
#define CL_COMMAND_BUFFER_STATE_RECORDING_KHR 0
#define CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR 1
#define CL_COMMAND_COMMAND_BUFFER_KHR 0x12A8

// cl_khr_command_buffer_mutable_dispatch
#define CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR (1 << 0)
#define CL_COMMAND_BUFFER_MUTABLE_KHR (1 << 1)
#define CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR (1 << 2)
#define CL_INVALID_MUTABLE_COMMAND_KHR -1141
#define CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR 0x12B0
#define CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR 0x12B1
#define CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR (1 << 0)
#define CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR (1 << 1)
#define CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR (1 << 2)
#define CL_MUTABLE_DISPATCH_ARGUMENTS_KHR (1 << 3)
#define CL_MUTABLE_DISPATCH_EXEC_INFO_KHR (1 << 4)
#define CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR 0x12A0
#define CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR 0x12A1
#define CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR 0x12AD
#define CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR 0x12A2
#define CL_MUTABLE_DISPATCH_KERNEL_KHR 0x12A3
#define CL_MUTABLE_DISPATCH_DIMENSIONS_KHR 0x12A4
#define CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR 0x12A5
#define CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR 0x12A6
#define CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR 0x12A7
#define CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR 0x12B7
#define CL_MUTABLE_DISPATCH_ASSERTS_KHR 0x12B8
#define CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR (1 << 0)
#define CL_COMMAND_BUFFER_STATE_FINALIZED_KHR 2

namespace upsweep {

/// CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR, which has another value in older headers.
inline constexpr cl_command_buffer_update_type_khr kMutableDispatchUpdate = 0;

/// cl_mutable_dispatch_arg_khr
struct MutableDispatchArgument {
  cl_uint arg_index;
  size_t arg_size;
  const void *arg_value;
};

/// cl_mutable_dispatch_exec_info_khr
struct MutableDispatchExecInfo {
  cl_uint param_name;
  size_t param_value_size;
  const void *param_value;
};

/// cl_mutable_dispatch_config_khr
struct MutableDispatchConfig {
  cl_mutable_command_khr command = nullptr;
  cl_uint num_args = 0;
  cl_uint num_svm_args = 0;
  cl_uint num_exec_infos = 0;
  cl_uint work_dim = 0;
  const MutableDispatchArgument *arg_list = nullptr;
  const MutableDispatchArgument *arg_svm_list = nullptr;
  const MutableDispatchExecInfo *exec_info_list = nullptr;
  const size_t *global_work_offset = nullptr;
  const size_t *global_work_size = nullptr;
  const size_t *local_work_size = nullptr;
};

}  // namespace upsweep
// NOLINTEND(bugprone-macro-parentheses,bugprone-reserved-identifier)

#endif
