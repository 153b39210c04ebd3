// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans that start again at marked elements. Part of targets.h.
namespace upsweep::cpu::detail::UPSWEEP_CPU_TARGET {

// out[i] = the total since the last mark.
template <class T, class Op>
void scan_marked(const T *in, const std::uint8_t *marks, T *out, std::size_t n, T &carry, const Op &op) {
  T total = carry;
  for (std::size_t i = 0; i < n; ++i) {
    const T x = in[i];
    total = marks[i] != 0 ? x : op(total, x);
    out[i] = total;
  }
  carry = total;
}

// out[i] = initial and the total since the last mark, without x[i].
template <class T, class Op>
void scan_marked_exclusive(const T *in, const std::uint8_t *marks, T *out, std::size_t n, T &carry, const T &initial,
                           const Op &op) {
  T total = carry;
  for (std::size_t i = 0; i < n; ++i) {
    const T x = in[i];
    const T before = marks[i] != 0 ? initial : total;
    out[i] = before;
    total = op(before, x);
  }
  carry = total;
}

}  // namespace upsweep::cpu::detail::UPSWEEP_CPU_TARGET
