// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU library's part of cpu_bits_test.cu.
#include "cpu_bits.h"

#include <upsweep/cpu/compensated.h>
#include <upsweep/cpu/reduce.h>
#include <upsweep/cpu/scan.h>

namespace upsweep::test {

template <class T>
void OnCpu<T>::inclusive_sum(const T *in, T *out, std::size_t n, bool is_backward) {
  if (is_backward) {
    cpu::inclusive_sum(in, out, n, cpu::reproducible, cpu::backward);
  } else {
    cpu::inclusive_sum(in, out, n, cpu::reproducible);
  }
}
template <class T>
void OnCpu<T>::exclusive_sum(const T *in, T *out, std::size_t n, T initial, T *total) {
  cpu::exclusive_scan(in, out, n, cpu::plus{}, initial, cpu::reproducible, cpu::total_to(total));
}
template <class T>
void OnCpu<T>::inclusive_compensated_sum(const T *in, T *out, std::size_t n) {
  cpu::inclusive_compensated_sum(in, out, n, cpu::reproducible);
}
template <class T>
void OnCpu<T>::inclusive_sum_in_double(const T *in, double *out, std::size_t n) {
  cpu::inclusive_scan(in, out, n, cpu::plus{}, cpu::accumulator<double>, cpu::reproducible);
}
template <class T>
T OnCpu<T>::sum(const T *in, std::size_t n) {
  T total;
  cpu::sum(in, &total, n, cpu::reproducible);
  return total;
}
template <class T>
T OnCpu<T>::compensated_sum(const T *in, std::size_t n) {
  T total;
  cpu::compensated_sum(in, &total, n, cpu::reproducible);
  return total;
}

template struct OnCpu<float>;
template struct OnCpu<double>;

}  // namespace upsweep::test
