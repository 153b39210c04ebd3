// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the same OpenCL programs on a device of each platform that the ICD loader finds, and writes medians as JSON. Samples of
// all peers alternate, so that a change of the machine's speed affects all. Every result is checked.
#ifndef UPSWEEP_BENCH_HARNESS_H
#define UPSWEEP_BENCH_HARNESS_H

#include "cli/opencl.h"
#include "tests/spirv_translator.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace upsweep::bench {

using cli::Failure;
using cli::Result;

struct Device : cli::Device {
  std::shared_ptr<const tests::SpirvTranslator> translator = {};  // null: kernels stay OpenCL C
  std::string level = {};                                         // Clang's level of optimisation
};

// The bound of a case: a rate is shown as a share of the best platform's bound.
enum class Bound {
  Memory,   // the bytes of a copy kernel in the same run
  Compute,  // the operations of the peak kernel in the same run
  None,
};

struct Prepared {
  std::function<cl_int()> enqueue;       // once; the harness waits
  std::function<Result<void>()> verify;  // after one enqueue
  std::vector<cl::Memory> memory;        // kept alive, since a kernel does not retain its arguments
  std::function<double()> seconds = {};  // of one run by the device's clock, for cases that measure it
};

using Prepare = std::function<Result<Prepared>(const Device &)>;

// The same work by other means, for platforms that lack a feature of the case, as an additional column.
struct Emulation {
  std::string name;
  Prepare prepare;
};

struct Case {
  std::string name;     // "vector add"
  std::string variant;  // "float, 2^24"
  Bound bound = Bound::None;
  double bytes = 0;       // that must move between processor and memory
  double operations = 0;  // arithmetic ones
  double elements = 0;
  Prepare prepare;
  bool is_ceiling = false;          // the copy or peak kernel with which the others are compared
  std::string group;                // a ceiling belongs to one group: "float" among collectives
  std::function<void()> host = {};  // the same work by the C library, as an additional column
  std::vector<Emulation> emulations = {};
  std::string unit = {};      // of the elements per second, such as "Gtexel/s"; empty: the bound's unit
  bool is_yardstick = false;  // a row for comparison, left out of means
};

struct Options {
  std::string json;
  std::string only;    // part of a case's name
  std::string device;  // "cpu" or "gpu"; empty: the first device of each platform
  std::string peer;    // part of the name of the only other platform; empty: all
  int samples = 9;
  bool processor_time = false;
  bool spirv = false;  // also measure our driver with kernels that became SPIR-V
  int spirv_level = 1;
  std::string command;  // the options as given

  // GPUs need more work-items to be full, and have larger caches to exceed.
  [[nodiscard]] bool on_gpu() const { return device == "gpu"; }
};

// The text of a page of docs/benchmarks/ before its table.
struct Suite {
  std::string name;   // as in `./dev bench NAME`
  std::string about;  // the quantity measured, and the units of the columns
};

// Reads the command line, runs the cases and writes the JSON; the exit status.
int run_main(int argc, char **argv, const Suite &suite, const std::function<std::vector<Case>(const Options &)> &cases);

// For programs that measure otherwise but write the same form of results.
std::string command_line(int argc, char **argv);  // the program's name and options, without the results' file
std::string today();                              // in UTC
std::string processor_name();
bool has_type(const cl::Device &device, const std::string &wanted);            // "cpu", "gpu", or empty for any
Result<void> write_results(const std::string &text, const std::string &path);  // an empty path: standard output

// Shorthands for steps of every case.
Result<cl::Kernel> make_kernel(const Device &device, std::string_view source, const std::string &options, const char *name);
Result<cl::Buffer> make_buffer(const cli::Device &device, size_t bytes, const void *contents);
Result<cl::CommandQueue> make_queue(const Device &device, cl::QueueProperties properties);

template <typename T>
Result<std::vector<T>> read_buffer(const Device &device, const cl::Buffer &buffer, size_t count) {
  std::vector<T> values(count);
  const cl_int error = device.queue.enqueueReadBuffer(buffer, CL_TRUE, 0, count * sizeof(T), values.data());
  if (auto done = cli::check(error, "read the result"); !done) return Failure(done.error());
  return values;
}

// A launch of one kernel over a range.
std::function<cl_int()> launch(const Device &device, const cl::Kernel &kernel, cl::NDRange global, cl::NDRange local);

}  // namespace upsweep::bench
#endif
