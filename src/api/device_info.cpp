// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of clGetDeviceInfo, from device_info.def.
#include "api/device_info.h"
#include "base/command_buffers.h"
#include "base/features.h"
#include "base/opencl_3_1.h"
#include "runtime/memory/host_memory.h"
#include "runtime/memory/svm_types.h"
#include "runtime/objects/pipe.h"
#include "runtime/objects/platform.h"
#include <CL/cl_ext.h>
#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace upsweep {
namespace {

/// Elements of a SIMD register; 1 if elements are larger.
cl_uint elements_in(cl_uint register_bytes, cl_uint element_bytes) {
  return std::max<cl_uint>(1, register_bytes / element_bytes);
}

/// The supported partition types; none with only one compute unit.
std::vector<cl_device_partition_property> partition_properties(const Device &device) {
  if (!device.properties().can_partition || device.share().count < 2) return {0};
  std::vector<cl_device_partition_property> kinds = {CL_DEVICE_PARTITION_EQUALLY, CL_DEVICE_PARTITION_BY_COUNTS};
  if (device.affinity_domains()) kinds.push_back(CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN);
  return kinds;
}

/// The three combinations of signed factors, then the same with saturation.
cl_device_integer_dot_product_acceleration_properties_khr dot_product_acceleration(const DeviceProperties &properties) {
  const cl_bool has = properties.has_byte_products ? CL_TRUE : CL_FALSE;
  return {has, has, has, CL_FALSE, CL_FALSE, CL_FALSE};
}

/// The capabilities that the device's feature macros for floating-point numbers of these bits stand for. Loads and stores of
/// float and double have no macro, since every device has them.
cl_device_fp_atomic_capabilities_ext float_atomics(const DeviceProperties &properties, const std::string &bits) {
  if (!has_extension(properties.features, "cl_ext_float_atomics")) return 0;
  constexpr struct {
    const char *name;
    cl_device_fp_atomic_capabilities_ext capability;
  } kFeatures[] = {{"_global_atomic_load_store", CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT},
                   {"_global_atomic_add", CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT},
                   {"_global_atomic_min_max", CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT},
                   {"_local_atomic_load_store", CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT},
                   {"_local_atomic_add", CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT},
                   {"_local_atomic_min_max", CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT}};
  cl_device_fp_atomic_capabilities_ext capabilities = 0;
  if (bits != "16") capabilities = CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT | CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT;
  for (const auto &[name, capability] : kFeatures)
    if (has_feature(properties.features, "__opencl_c_ext_fp" + bits + name)) capabilities |= capability;
  return capabilities;
}

cl_device_kernel_clock_capabilities_khr kernel_clocks(const DeviceProperties &properties) {
  const auto has = [&](const char *scope) {
    return has_feature(properties.features, std::string("__opencl_c_kernel_clock_scope_") + scope);
  };
  return (has("device") ? CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR : 0) |
         (has("work_group") ? CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR : 0) |
         (has("sub_group") ? CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR : 0);
}

using Luid = std::array<cl_uchar, CL_LUID_SIZE_KHR>;

/// "a universally unique identifier for the software driver": the start of its name and version.
constexpr Uuid kDriverUuid = [] {
  Uuid uuid{};
  std::ranges::copy(std::string_view("Upsweep " UPSWEEP_VERSION).substr(0, uuid.size()), uuid.begin());
  return uuid;
}();

// The versions that src/compiler/spirv reads, newest first.
constexpr const char *kIntermediateLanguages = "SPIR-V_1.6 SPIR-V_1.5 SPIR-V_1.4 SPIR-V_1.3 SPIR-V_1.2 SPIR-V_1.1 SPIR-V_1.0";
std::span<const cl_name_version> intermediate_languages() {
  static constexpr cl_name_version kVersions[] = {
      {CL_MAKE_VERSION(1, 6, 0), "SPIR-V"}, {CL_MAKE_VERSION(1, 5, 0), "SPIR-V"}, {CL_MAKE_VERSION(1, 4, 0), "SPIR-V"},
      {CL_MAKE_VERSION(1, 3, 0), "SPIR-V"}, {CL_MAKE_VERSION(1, 2, 0), "SPIR-V"}, {CL_MAKE_VERSION(1, 1, 0), "SPIR-V"},
      {CL_MAKE_VERSION(1, 0, 0), "SPIR-V"},
  };
  return kVersions;
}

constexpr const char *kInstructionSets[] = {
#define UPSWEEP_INSTRUCTION_SET(name) name,
#include "base/spirv.def"
};
constexpr const char *kExtensions[] = {
#define UPSWEEP_SPIRV_EXTENSION(name) #name,
#include "base/spirv.def"
};
constexpr cl_uint kCapabilities[] = {
#define UPSWEEP_CAPABILITY(name, number) number,
#include "base/spirv.def"
};

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
#define UPSWEEP_OF_CARD(query, type, ...)                                                                                      \
  {query, [](const Device &d, const InfoOut &out) -> Result<void> {                                                            \
     const DeviceProperties &p = d.properties();                                                                               \
     if (!p.pci) return fail(CL_INVALID_VALUE, "the device does not list the extension of " #query);                           \
     return out.write<type>(__VA_ARGS__);                                                                                      \
   }},
#define UPSWEEP_OF_IMAGES(query, type, member)                                                                                 \
  {query, [](const Device &d, const InfoOut &out) -> Result<void> {                                                            \
     const DeviceProperties &p = d.properties();                                                                               \
     return out.write<type>(p.images ? p.images->member : 0);                                                                  \
   }},
#include "api/device_info.def"
#undef UPSWEEP_OF_IMAGES
#undef UPSWEEP_OF_CARD
#undef UPSWEEP_VALUE
#undef UPSWEEP_STRING
#undef UPSWEEP_ARRAY
};

}  // namespace

std::span<const InfoEntry<Device>> device_info_table() { return kTable; }

}  // namespace upsweep
