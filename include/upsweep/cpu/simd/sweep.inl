// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions and scans by operators without a vector form: pairs of neighbours, pairs of pairs, and back (Blelloch 1990, the
// up-sweep and the down-sweep). Each step is a loop of independent rounds, which compilers vectorise for structs of numbers,
// too. Part of targets.h.
namespace upsweep::cpu::detail::UPSWEEP_CPU_TARGET {

// out[i] = in[2 * i] op in[2 * i + 1]
template <class T, class Op>
UPSWEEP_CPU_INLINE void sweep_up(const T *__restrict in, T *__restrict out, std::size_t pairs, const Op &op) {
  for (std::size_t i = 0; i < pairs; ++i) {
    out[i] = op(in[2 * i], in[2 * i + 1]);
  }
}

// before[i] is the total before pair i; before[i + 1] includes the pair.
template <class T, class Op>
UPSWEEP_CPU_INLINE void sweep_down(const T *__restrict in, const T *__restrict before, T *__restrict out, std::size_t pairs,
                                   const Op &op) {
  for (std::size_t i = 0; i < pairs; ++i) {
    out[2 * i] = op(before[i], in[2 * i]);
    out[2 * i + 1] = before[i + 1];
  }
}

// The total of n >= 1 elements; `room` has n + 8 more.
template <class T, class Op>
T sweep_reduce(const T *in, std::size_t n, T *room, const Op &op) {
  if (n <= 4) {
    T total = in[0];
    for (std::size_t i = 1; i < n; ++i) {
      total = op(total, in[i]);
    }
    return total;
  }
  const std::size_t pairs = n / 2;
  sweep_up(in, room, pairs, op);
  const T total = sweep_reduce(static_cast<const T *>(room), pairs, room + pairs, op);
  return n % 2 == 0 ? total : op(total, in[n - 1]);
}

// out[i] = carry op in[0] op ... op in[i]; the carry becomes the last result. in and out must not overlap; `room` has 2 * n +
// 32.
template <class T, class Op>
void sweep_scan(const T *in, T *out, std::size_t n, T &carry, T *room, const Op &op) {
  if (n <= 8) {
    T total = carry;
    for (std::size_t i = 0; i < n; ++i) {
      out[i] = total = op(total, in[i]);
    }
    carry = total;
    return;
  }
  const std::size_t pairs = n / 2;
  T *const before = room + pairs, *const rest = before + pairs + 1;
  before[0] = carry;
  sweep_up(in, room, pairs, op);
  sweep_scan(static_cast<const T *>(room), before + 1, pairs, carry, rest, op);
  sweep_down(in, before, out, pairs, op);
  if (n % 2 != 0) {
    out[n - 1] = carry = op(carry, in[n - 1]);
  }
}

}  // namespace upsweep::cpu::detail::UPSWEEP_CPU_TARGET
