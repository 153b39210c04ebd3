// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clGetKernelSubGroupInfo, clGetKernelSubGroupInfoKHR. A sub-group has consecutive linear local ids; only a work-group's last
// sub-group may have fewer work-items than lanes.
#include "api/entry.h"
#include "api/info.h"
#include "api/kernel_device.h"
#include <CL/cl_ext.h>
#include <algorithm>
#include <array>

using namespace upsweep;

namespace {

struct SubGroupQuery {
  KernelOnDevice on;
  size_t input_size;
  const void *input;

  size_t lanes() const { return on.function.sub_group_size; }
  size_t max_local_size() const { return max_work_group_size(on.device, on.function); }
  /// Work-items of the largest work-group with which the kernel can be enqueued.
  size_t most_items() const {
    const auto &required = on.function.required_local_size;
    if (required[0]) return size_t{required[0]} * required[1] * required[2];
    return on.function.required_sub_groups ? on.function.required_sub_groups * lanes() : max_local_size();
  }
};

/// The number of work-items in the application's local size.
Result<size_t> local_items(const SubGroupQuery &q) {
  const size_t dimensions = q.input_size / sizeof(size_t);
  if (!q.input || q.input_size % sizeof(size_t) != 0 || dimensions < 1 || dimensions > 3)
    return fail(CL_INVALID_VALUE, "input_value must be a local size of 1 to 3 dimensions");
  std::array<size_t, 3> size{1, 1, 1};
  std::memcpy(size.data(), q.input, q.input_size);
  size_t items = 0;
  if (__builtin_mul_overflow(size[0], size[1], &items) || __builtin_mul_overflow(items, size[2], &items))
    return fail(CL_INVALID_VALUE, "the local size has more than 2^64 work-items");
  return items;
}

Result<void> write_max_size(const SubGroupQuery &q, const InfoOut &out) {
  return local_items(q).and_then([&](size_t) { return out.write<size_t>(q.lanes()); });
}

Result<void> write_count(const SubGroupQuery &q, const InfoOut &out) {
  return local_items(q).and_then([&](size_t items) { return out.write<size_t>(items / q.lanes() + (items % q.lanes() != 0)); });
}

/// Writes a one-dimensional local size that gives `count` sub-groups; zeros if no valid local size does.
Result<void> write_local_size(const SubGroupQuery &q, const InfoOut &out) {
  if (!q.input || q.input_size != sizeof(size_t))
    return fail(CL_INVALID_VALUE, "input_value must be a number of sub-groups, one size_t");
  size_t count = 0;
  std::memcpy(&count, q.input, sizeof count);
  const size_t dimensions = out.value ? std::clamp<size_t>(out.size / sizeof(size_t), 1, 3) : 3;
  std::array<size_t, 3> answer{0, 0, 0};
  const auto &required = q.on.function.required_local_size;
  if (required[0] != 0) {
    const size_t items = size_t{required[0]} * required[1] * required[2];
    const bool fits = (dimensions > 1 || required[1] == 1) && (dimensions > 2 || required[2] == 1);
    if (fits && (items + q.lanes() - 1) / q.lanes() == count) std::ranges::copy(required, answer.begin());
  } else if (count != 0 && count <= q.max_local_size() / q.lanes() &&
             (q.on.function.required_sub_groups == 0 || q.on.function.required_sub_groups == count)) {
    answer = {count * q.lanes(), 1, 1};
  }
  return out.write_array<size_t>(std::span(answer).first(dimensions));
}

const InfoEntry<SubGroupQuery> kSubGroupInfo[] = {
    {CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, write_max_size},
    {CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, write_count},
    {CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, write_local_size},
    {CL_KERNEL_MAX_NUM_SUB_GROUPS,
     [](const SubGroupQuery &q, const InfoOut &out) {
       return out.write<size_t>((q.most_items() + q.lanes() - 1) / q.lanes());
     }},
    // Required by SPIR-V; OpenCL C has no attribute for it.
    {CL_KERNEL_COMPILE_NUM_SUB_GROUPS,
     [](const SubGroupQuery &q, const InfoOut &out) { return out.write<size_t>(q.on.function.required_sub_groups); }},
    {CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL,
     [](const SubGroupQuery &q, const InfoOut &out) { return out.write<size_t>(q.on.function.required_sub_group_size); }},
};

}  // namespace

cl_int CL_API_CALL clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info param_name,
                                           size_t input_value_size, const void *input_value, size_t param_value_size,
                                           void *param_value, size_t *param_value_size_ret) {
  return entry(__func__, [&]() -> Result<void> {
    auto object = kernel_on_device(kernel, device);
    if (!object) return fail(object);
    return answer_info(kSubGroupInfo, SubGroupQuery{*object, input_value_size, input_value}, param_name,
                       {param_value_size, param_value, param_value_size_ret});
  });
}

cl_int CL_API_CALL clGetKernelSubGroupInfoKHR(cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info param_name,
                                              size_t input_value_size, const void *input_value, size_t param_value_size,
                                              void *param_value, size_t *param_value_size_ret) {
  return clGetKernelSubGroupInfo(kernel, device, param_name, input_value_size, input_value, param_value_size, param_value,
                                 param_value_size_ret);
}
