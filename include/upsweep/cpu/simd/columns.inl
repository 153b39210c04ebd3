// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans across rows, which compilers make vectors of for every operator without branches. Part of targets.h.
namespace upsweep::cpu::detail::UPSWEEP_CPU_TARGET {

// totals[i] = totals[i] op in[i], and out[i] the new total.
template <class T, class In, class Op>
void scan_across(const In *__restrict in, T *__restrict totals, T *__restrict out, std::size_t n, const Op &op) {
  for (std::size_t i = 0; i < n; ++i) {
    totals[i] = op(totals[i], static_cast<T>(in[i]));
    out[i] = totals[i];
  }
}

// sums[i] += in[i]
template <class T, class In>
void add_row(const In *__restrict in, T *__restrict sums, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    sums[i] = plus()(sums[i], static_cast<T>(in[i]));
  }
}

// sums[i] -= in[i]
template <class T, class In>
void subtract_row(const In *__restrict in, T *__restrict sums, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    sums[i] = static_cast<T>(sums[i] - static_cast<T>(in[i]));
  }
}

}  // namespace upsweep::cpu::detail::UPSWEEP_CPU_TARGET
