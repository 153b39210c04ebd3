// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the same OpenCL programs on a device of every platform that the ICD loader finds, one sample of each in turn, so that a
// change of the machine's speed meets all of them; checks every result, and writes medians as JSON.
#ifndef UPSWEEP_BENCH_HARNESS_H
#define UPSWEEP_BENCH_HARNESS_H

#include "cli/opencl.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace upsweep::bench {

using cli::Device;
using cli::Failure;
using cli::Result;

// The limit of a case: the rate that its best platform reaches is shown as a share of it.
enum class Bound {
  Memory,   // the bytes of a copy kernel in the same run
  Compute,  // the operations of the peak kernel in the same run
  None,
};

struct Prepared {
  std::function<cl_int()> enqueue;       // once; the harness waits
  std::function<Result<void>()> verify;  // after one enqueue
  std::vector<cl::Memory> memory;        // kept alive: a kernel does not retain its arguments
  std::function<double()> seconds = {};  // of one run by the device's clock, for cases that measure that
};

using Prepare = std::function<Result<Prepared>(const Device &)>;

// The same work by other means, for platforms that lack a feature of the case: a column of its own.
struct Emulation {
  std::string name;
  Prepare prepare;
};

struct Case {
  std::string name;     // "vector add"
  std::string variant;  // "float, 2^24"
  Bound bound = Bound::None;
  double bytes = 0;       // that must move between the processor and memory
  double operations = 0;  // arithmetic ones
  double elements = 0;
  Prepare prepare;
  bool is_ceiling = false;          // the copy or peak kernel that the others are compared with
  std::string group;                // a ceiling is one for its group: "float" among collectives
  std::function<void()> host = {};  // the same work by the C library, for a column of its own
  std::vector<Emulation> emulations = {};
  std::string unit = {};      // of the elements a second, such as "Gtexel/s"; empty: the bound's unit
  bool is_yardstick = false;  // a row to compare others with, left out of means
};

struct Options {
  std::string json;
  std::string only;    // a part of a name
  std::string device;  // "cpu" or "gpu"; empty: each platform's first
  std::string peer;    // a part of the name of the one other platform; empty: all
  int samples = 9;
  std::string command;  // the options as given

  // GPUs have more work-items to fill, and larger caches to be larger than.
  [[nodiscard]] bool on_gpu() const { return device == "gpu"; }
};

// The text of a page of docs/benchmarks/ before its table.
struct Suite {
  std::string name;   // as in `./dev bench NAME`
  std::string about;  // the quantity measured, and the units of the columns
};

// Reads the command line, runs the cases and writes the JSON; the exit status.
int run_main(int argc, char **argv, const Suite &suite, const std::function<std::vector<Case>(const Options &)> &cases);

// For programs that measure in another way but write the same form of results.
std::string command_line(int argc, char **argv);  // the program's name and its options, without the file for the results
std::string today();                              // in UTC
std::string processor_name();
bool has_type(const cl::Device &device, const std::string &wanted);            // "cpu", "gpu", or empty for any
Result<void> write_results(const std::string &text, const std::string &path);  // an empty path: standard output

// Shorthands for steps of every case.
Result<cl::Kernel> make_kernel(const Device &device, std::string_view source, const std::string &options, const char *name);
Result<cl::Buffer> make_buffer(const Device &device, size_t bytes, const void *contents);
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
