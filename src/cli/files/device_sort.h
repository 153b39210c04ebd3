// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts of keys in host memory on an OpenCL device.
#ifndef UPSWEEP_CLI_FILES_DEVICE_SORT_H
#define UPSWEEP_CLI_FILES_DEVICE_SORT_H

#include "cli/files/work_device.h"

#include <upsweep/opencl/types.h>

namespace upsweep::cli {

Result<void> sort_on_device(WorkDevice &device, const opencl::element_type &type, void *keys, size_t n, bool is_descending);
Result<void> arg_sort_on_device(WorkDevice &device, const opencl::element_type &type, void *keys,
                                const opencl::element_type &index, void *indices, size_t n, bool is_descending);

// Sorts in place, for all of the library's types of keys.
template <class Key>
Result<void> sort_on_device(WorkDevice &device, Key *keys, size_t n, bool is_descending) {
  return sort_on_device(device, opencl::type_of<Key>::value(), keys, n, is_descending);
}

// Also returns the original index of each key.
template <class Key, class Index>
Result<void> arg_sort_on_device(WorkDevice &device, Key *keys, Index *indices, size_t n, bool is_descending) {
  return arg_sort_on_device(device, opencl::type_of<Key>::value(), keys, opencl::type_of<Index>::value(), indices, n,
                            is_descending);
}

}  // namespace upsweep::cli
#endif
