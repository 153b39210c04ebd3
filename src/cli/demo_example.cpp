// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The specification's example of the work-group scans: eight values, drawn as the log2(8) steps of a scan by shuffles.
#include "cli/demo.h"

#include "cli/kernels/work_group_scans.h"

#include <array>
#include <numeric>

namespace upsweep::cli {
namespace {

constexpr size_t kSize = 8;
using Row = std::array<cl_int, kSize>;
constexpr Row kValues = {3, 1, 7, 0, 4, 1, 6, 3};

struct Scans {
  Row inclusive{};
  Row exclusive{};
};

Result<Scans> scan_on_device(const Device &device) {
  const auto program = build_program(device, kWorkGroupScansSource, "-cl-std=CL3.0");
  if (!program) return Failure(program.error());
  cl_int error = CL_SUCCESS;
  cl::Kernel kernel(*program, "work_group_scans", &error);
  if (auto done = check(error, "make the kernel"); !done) return Failure(done.error());
  const cl::Buffer values(device.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof(Row),
                          const_cast<cl_int *>(kValues.data()), &error);
  const cl::Buffer inclusive(device.context, CL_MEM_WRITE_ONLY, sizeof(Row));
  const cl::Buffer exclusive(device.context, CL_MEM_WRITE_ONLY, sizeof(Row));
  kernel.setArg(0, values);
  kernel.setArg(1, inclusive);
  kernel.setArg(2, exclusive);
  error = device.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(kSize), cl::NDRange(kSize));
  if (auto done = check(error, "launch the kernel"); !done) return Failure(done.error());
  Scans scans;
  error = device.queue.enqueueReadBuffer(inclusive, CL_TRUE, 0, sizeof(Row), scans.inclusive.data());
  if (error == CL_SUCCESS) error = device.queue.enqueueReadBuffer(exclusive, CL_TRUE, 0, sizeof(Row), scans.exclusive.data());
  if (auto done = check(error, "read the result"); !done) return Failure(done.error());
  return scans;
}

std::string cells(const Row &row) {
  std::string text;
  for (const cl_int value : row) text += fmt::format("{:>5}", value);
  return text;
}

// The arrows between two steps, from each value to the value that it is added to, `distance` to the right.
std::string arrows(const Terminal &terminal, size_t distance) {
  const std::string_view arrow = terminal.unicode() ? "↘" : "\\";
  std::string text;
  for (size_t i = 0; i < kSize; ++i) text += fmt::format("{:>4}{}", "", i >= distance ? arrow : " ");
  return terminal.paint(Colour::Dim, text);
}

void draw(const Terminal &terminal, const Scans &scans) {
  const auto line = [&](std::string_view title, const std::string &text) { fmt::print("  {:<22}{}\n", title, text); };
  Row items{};
  std::iota(items.begin(), items.end(), 0);
  line("work-item", terminal.paint(Colour::Dim, cells(items)));
  line("value", cells(kValues));
  Row row = kValues;
  for (size_t distance = 1; distance < kSize; distance *= 2) {
    line("", arrows(terminal, distance));
    const Row before = row;
    for (size_t i = distance; i < kSize; ++i) row[i] += before[i - distance];
    line(fmt::format("+ the one {} before", distance), cells(row));
  }
  fmt::print("\n");
  line("scan_inclusive_add", terminal.paint(Colour::Bold, cells(scans.inclusive)) + "   from the device");
  line("scan_exclusive_add", terminal.paint(Colour::Bold, cells(scans.exclusive)) + "   from the device");
}

}  // namespace

Result<void> show_example(const Device &device, const Terminal &terminal) {
  const auto scans = scan_on_device(device);
  if (!scans) return Failure(scans.error());
  fmt::print("\n{}\n{}\n", terminal.paint(Colour::Bold, "A scan of a work-group of 8"), terminal.rule(64));
  draw(terminal, *scans);
  Scans expected;
  std::inclusive_scan(kValues.begin(), kValues.end(), expected.inclusive.begin());
  std::exclusive_scan(kValues.begin(), kValues.end(), expected.exclusive.begin(), 0);
  if (scans->inclusive != expected.inclusive || scans->exclusive != expected.exclusive)
    return fail("the device's scans are wrong; the correct results are\n  {}\n  {}", cells(expected.inclusive),
                cells(expected.exclusive));
  fmt::print("  {}, equal to the results of a loop on the host\n", terminal.paint(Colour::Good, "right"));
  return {};
}

}  // namespace upsweep::cli
