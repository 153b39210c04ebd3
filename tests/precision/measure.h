// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a function on a device over many arguments and finds its largest error.
#ifndef UPSWEEP_TESTS_PRECISION_MEASURE_H
#define UPSWEEP_TESTS_PRECISION_MEASURE_H

#include "format.h"
#include "functions.h"

#include "cli/opencl.h"

#include <string>

namespace upsweep::precision {

enum class Mode { Full, Relaxed, CorrectlyRounded };
std::string_view name_of(Mode mode);
/// -cl-fast-relaxed-math and so on; the last two modes are only for some functions and float.
std::string_view options_of(Mode mode);

/// Whether the specification bounds this function, type and mode.
bool is_specified(const Function &function, const Format &format, Mode mode);

struct Worst {
  double error = 0;   // ulp; infinite if a special value or a sign is wrong
  double bound = 0;   // at that argument
  double excess = 0;  // the largest error over its bound; above 1 is a failure
  Point at;
  double got = 0;
  std::string wanted;
  size_t count = 0;
};

class Measurement {
public:
  static cli::Result<Measurement> create(const cli::Device &device, const Function &function, const Format &format, Mode mode);
  /// Adds these points to the result of `worst`.
  cli::Result<void> add(Points &points);
  [[nodiscard]] const Worst &worst() const { return worst_; }

private:
  Measurement(const cli::Device &device, const Function &function, const Format &format, Mode mode, cl::Kernel kernel)
      : device_(device), function_(function), format_(format), mode_(mode), kernel_(std::move(kernel)) {}
  cli::Result<void> write(Points &points);
  [[nodiscard]] bool is_settled(double got, const Point &point) const;
  void ask_mpfr(double got, const Point &point);
  void judge(double got, const Point &point, mpfr_srcptr want);
  [[nodiscard]] double allowed(const Point &point, double want, double ulp) const;

  cli::Device device_;
  Function function_;
  Format format_;
  Mode mode_;
  cl::Kernel kernel_;
  std::vector<cl::Buffer> buffers_;
  size_t count_ = 0;
  Worst worst_;
};

}  // namespace upsweep::precision
#endif
