// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans across rows, which compilers vectorise for every operator without branches. Part of targets.h.
namespace upsweep::cpu::detail::UPSWEEP_CPU_TARGET {

// totals[i] = totals[i] op in[i]; out[i] is the new total.
template <class T, class In, class Op>
void scan_across(const In *__restrict in, T *__restrict totals, T *__restrict out, std::size_t n, const Op &op) {
  for (std::size_t i = 0; i < n; ++i) {
    totals[i] = op(totals[i], static_cast<T>(in[i]));
    out[i] = totals[i];
  }
}

// totals[i] = totals[i] op in[i]
template <class T, class In, class Op>
void reduce_across(const In *__restrict in, T *__restrict totals, std::size_t n, const Op &op) {
  for (std::size_t i = 0; i < n; ++i) {
    totals[i] = op(totals[i], static_cast<T>(in[i]));
  }
}

// states[i] = advance(factors[i], states[i], offsets[i]); out[i] is the new state. out may be one of the inputs.
template <class T, class A, class B, class Out, class Advance>
void recurrence_across(const A *factors, const B *offsets, T *__restrict states, Out *out, std::size_t n,
                       const Advance &advance) {
  for (std::size_t i = 0; i < n; ++i) {
    const T state = advance(factors[i], states[i], offsets[i]);
    states[i] = state;
    out[i] = static_cast<Out>(state);
  }
}

// out[i] = op(in[i], in[i - 1])
template <class T, class In, class Op>
void differences_of(const In *__restrict in, T *__restrict out, std::size_t n, const Op &op) {
  for (std::size_t i = 0; i < n; ++i) {
    out[i] = static_cast<T>(op(in[i], in[static_cast<std::ptrdiff_t>(i) - 1]));
  }
}

// sums[i] += in[i]
template <class T, class In>
void add_row(const In *__restrict in, T *__restrict sums, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    sums[i] = plus()(sums[i], static_cast<T>(in[i]));
  }
}

// out[i] = in[i] + more[i]
template <class T, class In>
void sum_row(const In *__restrict in, const T *__restrict more, T *__restrict out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    out[i] = plus()(static_cast<T>(in[i]), more[i]);
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
