// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenMP's threads as an executor; the program is compiled with -fopenmp.
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/cpu/executor.h>

#include <omp.h>

namespace upsweep::cpu {

struct openmp_threads {
  unsigned concurrency() const { return static_cast<unsigned>(omp_get_max_threads()); }
  template <class Work>
  void run(unsigned workers, const Work &work) const {
#pragma omp parallel num_threads(static_cast<int>(workers))
    work();
  }
};

}  // namespace upsweep::cpu
#endif
