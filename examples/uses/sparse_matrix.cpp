// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compression of a sparse matrix: non-zero elements are compacted with their columns, and a scan of the rows' counts gives the
// begin of each row.
#include "report.h"

#include <upsweep/cpu/select.h>
#include <upsweep/opencl/select.h>

namespace {

constexpr std::size_t kColumns = 256;

struct Matrix {
  std::vector<uint> begins;  // of each row
  std::vector<uint> columns;
  std::vector<float> values;
  bool operator==(const Matrix &) const = default;
};

Matrix sequential(const std::vector<float> &dense) {
  Matrix sparse;
  for (std::size_t i = 0; i < dense.size(); ++i) {
    if (i % kColumns == 0) {
      sparse.begins.push_back(static_cast<uint>(sparse.values.size()));
    }
    if (dense[i] != 0) {
      sparse.columns.push_back(i % kColumns);
      sparse.values.push_back(dense[i]);
    }
  }
  return sparse;
}

}  // namespace

int main(int argc, char **argv) {
  const std::size_t n = uses::elements(argc, argv), rows = (n + kColumns - 1) / kColumns;
  std::mt19937 engine(7);
  std::vector<float> dense(n);
  std::vector<uint> of_column(n);
  for (std::size_t i = 0; i < n; ++i) {
    dense[i] = engine() % 10 == 0 ? static_cast<float>(engine() % 1000 + 1) : 0.0F;
    of_column[i] = i % kColumns;
  }
  const Matrix expected = sequential(dense);
  uses::Report report(argc, argv, "sparse matrix", 4 * (n + rows) + 8 * expected.values.size());

  Matrix sparse{std::vector<uint>(rows), std::vector<uint>(n), std::vector<float>(n)};
  std::size_t kept = 0;
  const auto count_row = [&](std::size_t row) {
    uint count = 0;
    for (std::size_t i = row * kColumns; i < std::min(n, (row + 1) * kColumns); ++i) {
      count += dense[i] != 0 ? 1 : 0;
    }
    sparse.begins[row] = count;
  };
  report.by_threads(
      [&] {
        const auto is_kept = [](float x) { return x != 0; };
        uses::cpu::select_if(dense.data(), sparse.values.data(), &kept, n, is_kept);
        uses::cpu::select_by_stencil(of_column.data(), dense.data(), sparse.columns.data(), &kept, n, is_kept);
        uses::for_all(rows, count_row);
        uses::cpu::exclusive_sum(sparse.begins.data(), sparse.begins.data(), rows);
      },
      [&] {
        const auto end = static_cast<std::ptrdiff_t>(kept);
        return Matrix{sparse.begins,
                      {sparse.columns.begin(), sparse.columns.begin() + end},
                      {sparse.values.begin(), sparse.values.begin() + end}} == expected;
      });

  report.on_devices([&](uses::Device &device) {
    const auto in = device.array(dense), numbers = device.array(of_column), begins = device.array<uint>(rows),
               columns = device.array<uint>(n), values = device.array<float>(n), kept = device.array<uint>(1);
    cl_kernel count =
        device.kernel("kernel void count(global const float *dense, global uint *counts, uint n, uint columns) {"
                      "  const uint row = get_global_id(0);"
                      "  uint kept = 0;"
                      "  for (uint i = row * columns; i < min(n, (row + 1) * columns); ++i) kept += dense[i] != 0;"
                      "  counts[row] = kept; }");
    const auto run = [=, &device] {
      const uses::up::function is_kept("is_kept", "bool is_kept(float x) { return x != 0; }");
      uses::require(uses::up::select_if(in, values, kept, n, is_kept, device));
      uses::require(uses::up::select_by_stencil(numbers, in, columns, kept, n, is_kept, device));
      device.launch(count, rows, in, begins, static_cast<uint>(n), static_cast<uint>(kColumns));
      uses::require(uses::up::exclusive_sum(begins, begins, rows, device));
    };
    return std::pair(run, [=, &device, &expected] {
      const std::size_t found = device.read<uint>(kept, 1)[0];
      return Matrix{device.read<uint>(begins, rows), device.read<uint>(columns, found), device.read<float>(values, found)} ==
             expected;
    });
  });
  return report.status();
}
