// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transposes a matrix by tiles in local memory.
#include <sycl/sycl.hpp>

namespace experimental = sycl::ext::oneapi::experimental;
namespace this_item = sycl::ext::oneapi::this_work_item;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((experimental::nd_range_kernel<2>)) void transpose(
    const int *from, int *to, size_t rows, size_t columns, sycl::local_accessor<int, 1> tile) {
  const auto item = this_item::get_nd_item<2>();
  const size_t size = item.get_local_range(0), y = item.get_local_id(0), x = item.get_local_id(1);
  const size_t row = item.get_global_id(0), column = item.get_global_id(1);
  if (row < rows && column < columns) tile[y * (size + 1) + x] = from[row * columns + column];
  sycl::group_barrier(item.get_group());
  const size_t out_row = item.get_group(1) * size + y, out_column = item.get_group(0) * size + x;
  if (out_row < columns && out_column < rows) to[out_row * rows + out_column] = tile[x * (size + 1) + y];
}
