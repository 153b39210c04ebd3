// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of clGetDeviceInfo, from device_info.def.
#include "api/device_info.h"
#include "runtime/features.h"
#include "runtime/platform.h"
#include <CL/cl_ext.h>

namespace upsweep {
namespace {

constexpr cl_device_fp_config kFullPrecision =
    CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_FMA;
constexpr cl_device_atomic_capabilities kAllScopes = CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP |
                                                     CL_DEVICE_ATOMIC_SCOPE_DEVICE | CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES;
// Program-scope variables live in the code object's data; 64 KiB is what the specification asks for at least, and
// x86-64's small code model allows far more than this.
constexpr size_t kMaxGlobalVariableBytes = size_t{64} << 20;

/// How a device can be partitioned: not at all with one compute unit.
std::vector<cl_device_partition_property> partition_properties(const Device &device) {
  if (device.share().count < 2) return {0};
  std::vector<cl_device_partition_property> kinds = {CL_DEVICE_PARTITION_EQUALLY, CL_DEVICE_PARTITION_BY_COUNTS};
  if (device.affinity_domains()) kinds.push_back(CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN);
  return kinds;
}

const InfoEntry<Device> kTable[] = {
#define UPSWEEP_VALUE(query, type, ...)                                                                                        \
  {query, [](const Device &d, const InfoOut &out) -> Result<void> {                                                            \
     [[maybe_unused]] const DeviceProperties &p = d.properties();                                                              \
     return out.write<type>(__VA_ARGS__);                                                                                      \
   }},
#define UPSWEEP_STRING(query, text)                                                                                            \
  {query, [](const Device &d, const InfoOut &out) -> Result<void> {                                                            \
     [[maybe_unused]] const DeviceProperties &p = d.properties();                                                              \
     return out.write_string(text);                                                                                            \
   }},
#define UPSWEEP_ARRAY(query, type, ...)                                                                                        \
  {query, [](const Device &d, const InfoOut &out) -> Result<void> {                                                            \
     [[maybe_unused]] const DeviceProperties &p = d.properties();                                                              \
     return out.write_array<type>(__VA_ARGS__);                                                                                \
   }},
#include "api/device_info.def"
#undef UPSWEEP_VALUE
#undef UPSWEEP_STRING
#undef UPSWEEP_ARRAY
};

}  // namespace

std::span<const InfoEntry<Device>> device_info_table() { return kTable; }

}  // namespace upsweep
