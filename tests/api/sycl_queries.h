// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queries and functions of extensions that SYCL's adapter for OpenCL asks for: unified-runtime, source/adapters/opencl, August
// 2026. The numbers are literals, so that a program compiled with other headers asks the same.
#ifndef UPSWEEP_TESTS_API_SYCL_QUERIES_H
#define UPSWEEP_TESTS_API_SYCL_QUERIES_H

#include <cstddef>

namespace upsweep::tests {

/// kOfCards: devices without a PCI address refuse it. kNone: refused with CL_INVALID_VALUE, since the query's extension is not
/// listed.
enum class Answer { kValue, kOfCards, kNone };

constexpr size_t kAnySize = 0;

struct SyclQuery {
  const char *name;
  unsigned number;
  size_t room;  ///< bytes of the adapter's variable; kAnySize: it asks for the size first
  Answer answer = Answer::kValue;
};

constexpr SyclQuery kDeviceQueries[] = {
    {"CL_DEVICE_TYPE", 0x1000, 8},
    {"CL_DEVICE_VENDOR_ID", 0x1001, 4},
    {"CL_DEVICE_NAME", 0x102B, kAnySize},
    {"CL_DEVICE_VENDOR", 0x102C, kAnySize},
    {"CL_DEVICE_VERSION", 0x102F, kAnySize},
    {"CL_DEVICE_EXTENSIONS", 0x1030, kAnySize},
    {"CL_DEVICE_PROFILE", 0x102E, kAnySize},
    {"CL_DEVICE_BUILT_IN_KERNELS", 0x103F, kAnySize},
    {"CL_DEVICE_IL_VERSION", 0x105B, kAnySize},
    {"CL_DEVICE_PLATFORM", 0x1031, 8},
    {"CL_DEVICE_PARENT_DEVICE", 0x1042, 8},
    {"CL_DEVICE_MAX_COMPUTE_UNITS", 0x1002, 4},
    {"CL_DEVICE_MAX_NUM_SUB_GROUPS", 0x105C, 4},
    {"CL_DEVICE_SINGLE_FP_CONFIG", 0x101B, 8},
    {"CL_DEVICE_HALF_FP_CONFIG", 0x1033, 8},
    {"CL_DEVICE_DOUBLE_FP_CONFIG", 0x1032, 8},
    {"CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES", 0x1063, 8},
    {"CL_DEVICE_ATOMIC_FENCE_CAPABILITIES", 0x1064, 8},
    {"CL_DEVICE_QUEUE_PROPERTIES", 0x102A, 8},
    {"CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES", 0x104E, 8},
    {"CL_DEVICE_QUEUE_ON_HOST_PROPERTIES", 0x102A, 8},
    {"CL_DEVICE_GLOBAL_MEM_CACHE_TYPE", 0x101C, 8},
    {"CL_DEVICE_LOCAL_MEM_TYPE", 0x1022, 8},
    {"CL_DEVICE_EXECUTION_CAPABILITIES", 0x1029, 8},
    {"CL_DEVICE_PARTITION_PROPERTIES", 0x1044, kAnySize},
    {"CL_DEVICE_PARTITION_TYPE", 0x1046, kAnySize},
    {"CL_DEVICE_PARTITION_AFFINITY_DOMAIN", 0x1045, 8},
    {"CL_DEVICE_PARTITION_MAX_SUB_DEVICES", 0x1043, 4},
    {"CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL", 0x4190, 8},
    {"CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL", 0x4191, 8},
    {"CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL", 0x4192, 8},
    {"CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL", 0x4193, 8},
    {"CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL", 0x4194, 8},
    {"CL_DEVICE_IMAGE_SUPPORT", 0x1016, 4},
    {"CL_DEVICE_ERROR_CORRECTION_SUPPORT", 0x1024, 4},
    {"CL_DEVICE_HOST_UNIFIED_MEMORY", 0x1035, 4},
    {"CL_DEVICE_ENDIAN_LITTLE", 0x1026, 4},
    {"CL_DEVICE_AVAILABLE", 0x1027, 4},
    {"CL_DEVICE_COMPILER_AVAILABLE", 0x1028, 4},
    {"CL_DEVICE_LINKER_AVAILABLE", 0x103E, 4},
    {"CL_DEVICE_PREFERRED_INTEROP_USER_SYNC", 0x1048, 4},
    {"CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS", 0x105D, 4},
    {"CL_DEVICE_SUB_GROUP_SIZES_INTEL", 0x4108, kAnySize},
    {"CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS", 0x1003, 4},
    {"CL_DEVICE_MAX_WORK_ITEM_SIZES", 0x1005, 24},
    {"CL_DEVICE_MAX_WORK_GROUP_SIZE", 0x1004, 8},
    {"CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR", 0x1006, 4},
    {"CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT", 0x1007, 4},
    {"CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT", 0x1008, 4},
    {"CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG", 0x1009, 4},
    {"CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT", 0x100A, 4},
    {"CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE", 0x100B, 4},
    {"CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF", 0x1034, 4},
    {"CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR", 0x1036, 4},
    {"CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT", 0x1037, 4},
    {"CL_DEVICE_NATIVE_VECTOR_WIDTH_INT", 0x1038, 4},
    {"CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG", 0x1039, 4},
    {"CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT", 0x103A, 4},
    {"CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE", 0x103B, 4},
    {"CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF", 0x103C, 4},
    {"CL_DEVICE_MAX_CLOCK_FREQUENCY", 0x100C, 4},
    {"CL_DEVICE_ADDRESS_BITS", 0x100D, 4},
    {"CL_DEVICE_MAX_READ_IMAGE_ARGS", 0x100E, 4},
    {"CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS", 0x104C, 4},
    {"CL_DEVICE_MEM_BASE_ADDR_ALIGN", 0x1019, 4},
    {"CL_DEVICE_MAX_SAMPLERS", 0x1018, 4},
    {"CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE", 0x101D, 4},
    {"CL_DEVICE_MAX_CONSTANT_ARGS", 0x1021, 4},
    {"CL_DEVICE_MAX_MEM_ALLOC_SIZE", 0x1010, 8},
    {"CL_DEVICE_GLOBAL_MEM_CACHE_SIZE", 0x101E, 8},
    {"CL_DEVICE_GLOBAL_MEM_SIZE", 0x101F, 8},
    {"CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE", 0x1020, 8},
    {"CL_DEVICE_LOCAL_MEM_SIZE", 0x1023, 8},
    {"CL_DEVICE_MAX_PARAMETER_SIZE", 0x1017, 8},
    {"CL_DEVICE_PROFILING_TIMER_RESOLUTION", 0x1025, 8},
    {"CL_DEVICE_PRINTF_BUFFER_SIZE", 0x1049, 8},
    {"CL_DEVICE_IMAGE2D_MAX_WIDTH", 0x1011, 8},
    {"CL_DEVICE_IMAGE2D_MAX_HEIGHT", 0x1012, 8},
    {"CL_DEVICE_IMAGE3D_MAX_WIDTH", 0x1013, 8},
    {"CL_DEVICE_IMAGE3D_MAX_HEIGHT", 0x1014, 8},
    {"CL_DEVICE_IMAGE3D_MAX_DEPTH", 0x1015, 8},
    {"CL_DEVICE_IMAGE_MAX_BUFFER_SIZE", 0x1040, 8},
    {"CL_DEVICE_IMAGE_MAX_ARRAY_SIZE", 0x1041, 8},
    {"CL_DEVICE_UUID_KHR", 0x106A, 16},
    {"CL_DEVICE_LUID_VALID_KHR", 0x106C, 4},
    {"CL_DEVICE_LUID_KHR", 0x106D, 8},
    {"CL_DEVICE_NODE_MASK_KHR", 0x106E, 4},
    {"CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR", 0x1076, 8},
    {"CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR", 0x12A9, 8},
    {"CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR", 0x12B0, 8},
    {"CL_DEVICE_PCI_BUS_INFO_KHR", 0x410F, 16, Answer::kOfCards},
    {"CL_DEVICE_ID_INTEL", 0x4251, 4, Answer::kNone},
    {"CL_DEVICE_IP_VERSION_INTEL", 0x4250, 4, Answer::kNone},
    {"CL_DEVICE_NUM_SLICES_INTEL", 0x4252, 4, Answer::kNone},
    {"CL_DEVICE_NUM_SUB_SLICES_PER_SLICE_INTEL", 0x4253, 4, Answer::kNone},
    {"CL_DEVICE_NUM_EUS_PER_SUB_SLICE_INTEL", 0x4254, 4, Answer::kNone},
    {"CL_DEVICE_NUM_THREADS_PER_EU_INTEL", 0x4255, 4, Answer::kNone},
};

constexpr SyclQuery kPlatformQueries[] = {
    {"CL_PLATFORM_NAME", 0x0902, kAnySize},       {"CL_PLATFORM_VENDOR", 0x0903, kAnySize},
    {"CL_PLATFORM_VERSION", 0x0901, kAnySize},    {"CL_PLATFORM_PROFILE", 0x0900, kAnySize},
    {"CL_PLATFORM_EXTENSIONS", 0x0904, kAnySize},
};

constexpr SyclQuery kContextQueries[] = {
    {"CL_CONTEXT_NUM_DEVICES", 0x1083, 4},
    {"CL_CONTEXT_DEVICES", 0x1081, 8},
};

constexpr SyclQuery kQueueQueries[] = {
    {"CL_QUEUE_CONTEXT", 0x1090, 8},    {"CL_QUEUE_DEVICE", 0x1091, 8},          {"CL_QUEUE_DEVICE_DEFAULT", 0x1095, 8},
    {"CL_QUEUE_PROPERTIES", 0x1093, 8}, {"CL_QUEUE_REFERENCE_COUNT", 0x1092, 4},
};

constexpr SyclQuery kProgramQueries[] = {
    {"CL_PROGRAM_CONTEXT", 0x1161, 8},         {"CL_PROGRAM_NUM_DEVICES", 0x1162, 4},
    {"CL_PROGRAM_DEVICES", 0x1163, 8},         {"CL_PROGRAM_IL", 0x1169, kAnySize},
    {"CL_PROGRAM_BINARY_SIZES", 0x1165, 8},    {"CL_PROGRAM_BINARIES", 0x1166, 8},
    {"CL_PROGRAM_NUM_KERNELS", 0x1167, 8},     {"CL_PROGRAM_KERNEL_NAMES", 0x1168, kAnySize},
    {"CL_PROGRAM_REFERENCE_COUNT", 0x1160, 4},
};

constexpr SyclQuery kBuildQueries[] = {
    {"CL_PROGRAM_BUILD_STATUS", 0x1181, 4},
    {"CL_PROGRAM_BUILD_OPTIONS", 0x1182, kAnySize},
    {"CL_PROGRAM_BUILD_LOG", 0x1183, kAnySize},
    {"CL_PROGRAM_BINARY_TYPE", 0x1184, 4},
};

constexpr SyclQuery kKernelQueries[] = {
    {"CL_KERNEL_FUNCTION_NAME", 0x1190, kAnySize},
    {"CL_KERNEL_NUM_ARGS", 0x1191, 4},
    {"CL_KERNEL_REFERENCE_COUNT", 0x1192, 4},
    {"CL_KERNEL_CONTEXT", 0x1193, 8},
    {"CL_KERNEL_PROGRAM", 0x1194, 8},
    {"CL_KERNEL_ATTRIBUTES", 0x1195, kAnySize},
    {"CL_KERNEL_SPILL_MEM_SIZE_INTEL", 0x4109, 8, Answer::kNone},
    {"CL_KERNEL_REGISTER_COUNT_INTEL", 0x425B, 4, Answer::kNone},
};

constexpr SyclQuery kWorkGroupQueries[] = {
    {"CL_KERNEL_WORK_GROUP_SIZE", 0x11B0, 8},  {"CL_KERNEL_COMPILE_WORK_GROUP_SIZE", 0x11B1, 24},
    {"CL_KERNEL_LOCAL_MEM_SIZE", 0x11B2, 8},   {"CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE", 0x11B3, 8},
    {"CL_KERNEL_PRIVATE_MEM_SIZE", 0x11B4, 8}, {"CL_KERNEL_GLOBAL_WORK_SIZE", 0x11B5, 24, Answer::kNone},
};

constexpr SyclQuery kSubGroupQueries[] = {
    {"CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE", 0x2033, 8},
    {"CL_KERNEL_MAX_NUM_SUB_GROUPS", 0x11B9, 8},
    {"CL_KERNEL_COMPILE_NUM_SUB_GROUPS", 0x11BA, 8},
    {"CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL", 0x410A, 8},
};

constexpr SyclQuery kMemoryQueries[] = {
    {"CL_MEM_SIZE", 0x1102, 8},
    {"CL_MEM_CONTEXT", 0x1106, 8},
    {"CL_MEM_REFERENCE_COUNT", 0x1105, 4},
};

constexpr SyclQuery kImageQueries[] = {
    {"CL_IMAGE_FORMAT", 0x1110, 8},      {"CL_IMAGE_ELEMENT_SIZE", 0x1111, 8}, {"CL_IMAGE_ROW_PITCH", 0x1112, 8},
    {"CL_IMAGE_SLICE_PITCH", 0x1113, 8}, {"CL_IMAGE_WIDTH", 0x1114, 8},        {"CL_IMAGE_HEIGHT", 0x1115, 8},
    {"CL_IMAGE_DEPTH", 0x1116, 8},       {"CL_IMAGE_ARRAY_SIZE", 0x1117, 8},   {"CL_IMAGE_NUM_MIP_LEVELS", 0x1119, 4},
    {"CL_IMAGE_NUM_SAMPLES", 0x111A, 4},
};

constexpr SyclQuery kSamplerQueries[] = {
    {"CL_SAMPLER_REFERENCE_COUNT", 0x1150, 4},   {"CL_SAMPLER_CONTEXT", 0x1151, 8},
    {"CL_SAMPLER_NORMALIZED_COORDS", 0x1152, 4}, {"CL_SAMPLER_ADDRESSING_MODE", 0x1153, 4},
    {"CL_SAMPLER_FILTER_MODE", 0x1154, 4},
};

constexpr SyclQuery kEventQueries[] = {
    {"CL_EVENT_COMMAND_QUEUE", 0x11D0, 8},   {"CL_EVENT_COMMAND_TYPE", 0x11D1, 4},
    {"CL_EVENT_CONTEXT", 0x11D4, 8},         {"CL_EVENT_COMMAND_EXECUTION_STATUS", 0x11D3, 4},
    {"CL_EVENT_REFERENCE_COUNT", 0x11D2, 4},
};

constexpr SyclQuery kProfilingQueries[] = {
    {"CL_PROFILING_COMMAND_QUEUED", 0x1280, 8},   {"CL_PROFILING_COMMAND_SUBMIT", 0x1281, 8},
    {"CL_PROFILING_COMMAND_START", 0x1282, 8},    {"CL_PROFILING_COMMAND_END", 0x1283, 8},
    {"CL_PROFILING_COMMAND_COMPLETE", 0x1284, 8},
};

constexpr SyclQuery kAllocationQueries[] = {
    {"CL_MEM_ALLOC_TYPE_INTEL", 0x419A, 4},  {"CL_MEM_ALLOC_BASE_PTR_INTEL", 0x419B, 8},
    {"CL_MEM_ALLOC_SIZE_INTEL", 0x419C, 8},  {"CL_MEM_ALLOC_DEVICE_INTEL", 0x419D, 8},
    {"CL_MEM_ALLOC_FLAGS_INTEL", 0x4195, 8},
};

struct SyclFunction {
  const char *name;
  bool is_there;
};

constexpr SyclFunction kSyclFunctions[] = {
    {"clHostMemAllocINTEL", true},
    {"clDeviceMemAllocINTEL", true},
    {"clSharedMemAllocINTEL", true},
    {"clMemBlockingFreeINTEL", true},
    {"clSetKernelArgMemPointerINTEL", true},
    {"clEnqueueMemFillINTEL", true},
    {"clEnqueueMemcpyINTEL", true},
    {"clEnqueueMigrateMemINTEL", true},
    {"clGetMemAllocInfoINTEL", true},
    {"clGetDeviceGlobalVariablePointerINTEL", true},
    {"clEnqueueWriteGlobalVariableINTEL", true},
    {"clEnqueueReadGlobalVariableINTEL", true},
    {"clCreateCommandBufferKHR", true},
    {"clRetainCommandBufferKHR", true},
    {"clReleaseCommandBufferKHR", true},
    {"clFinalizeCommandBufferKHR", true},
    {"clCommandNDRangeKernelKHR", true},
    {"clCommandCopyBufferKHR", true},
    {"clCommandCopyBufferRectKHR", true},
    {"clCommandFillBufferKHR", true},
    {"clCommandBarrierWithWaitListKHR", true},
    {"clCommandSVMMemcpyKHR", true},
    {"clCommandSVMMemFillKHR", true},
    {"clEnqueueCommandBufferKHR", true},
    {"clGetCommandBufferInfoKHR", true},
    {"clUpdateMutableCommandsKHR", true},
    {"clCreateProgramWithILKHR", true},
    {"clGetKernelSubGroupInfoKHR", true},
    {"clGetKernelSuggestedLocalWorkSizeKHR", true},
    // Function pointers, memory channels and host pipes are not listed.
    {"clGetDeviceFunctionPointerINTEL", false},
    {"clCreateBufferWithPropertiesINTEL", false},
    {"clEnqueueReadHostPipeINTEL", false},
    {"clEnqueueWriteHostPipeINTEL", false},
};

}  // namespace upsweep::tests
#endif
