// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans that start again at marked elements (marks as in compact.inl). Part of targets.h.
//
// Operators with a vector form act on pairs of a value and a mark: (a, f) and (b, g) become (g ? b : a op b, f | g). This is
// associative, so the shuffles and brackets of scan.inl apply (Schwartz 1980).
namespace upsweep::cpu::detail::UPSWEEP_CPU_TARGET {

// Integers of a lane's size: -1 if the lane or an earlier one has a mark, else 0.
template <class T>
using MarkLane = std::conditional_t<
    sizeof(T) == 1, std::int8_t,
    std::conditional_t<sizeof(T) == 2, std::int16_t, std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>>>;

template <class T>
struct Marked {
  Vector<T> v;
  Vector<MarkLane<T>> marks;
};

// A byte of 1 or 0 for each of 64 bits.
UPSWEEP_CPU_INLINE void bytes_of_bits(std::uint64_t bits, std::uint8_t *bytes) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  for (int k = 0; k < 64; k += 8, bits >>= 8) {
#if UPSWEEP_CPU_VECTOR_BYTES >= 32
    const std::uint64_t eight = _pdep_u64(bits, kOnes);
#else
    const std::uint64_t own_bits = (bits & 255) * kOnes & 0x8040201008040201;
    const std::uint64_t eight = (own_bits + 0x7f * kOnes) >> 7 & kOnes;
#endif
    std::memcpy(bytes + k, &eight, 8);
  }
}

template <class T>
UPSWEEP_CPU_INLINE Vector<MarkLane<T>> load_marks(const std::uint8_t *bytes) {
  typename VectorOf<std::uint8_t, kLanes<T>>::type v;
  std::memcpy(&v, bytes, sizeof(v));
  return -__builtin_convertvector(v, Vector<MarkLane<T>>);
}

// a in lanes with a mark, b in others.
template <class T>
UPSWEEP_CPU_INLINE Vector<T> choose(Vector<MarkLane<T>> marks, Vector<T> a, Vector<T> b) {
  if constexpr (kVectorBytes == 64) {
    return marks ? a : b;
  } else {
    using Bits = Vector<MarkLane<T>>;
    return reinterpret_cast<Vector<T>>((reinterpret_cast<Bits>(a) & marks) | (reinterpret_cast<Bits>(b) & ~marks));
  }
}

template <class T, class Op>
UPSWEEP_CPU_INLINE Marked<T> apply_marked(Op op, Vector<T> left, Vector<MarkLane<T>> left_marks, const Marked<T> &right) {
  return {choose<T>(right.marks, right.v, apply(op, left, right.v)), left_marks | right.marks};
}

// `Map` of values and of marks, whose lanes have the same size.
template <template <class, int> class Map, int kArgument, class T, class Op>
UPSWEEP_CPU_INLINE Marked<T> step_marked(const Marked<T> &x, Vector<T> unit, Op op) {
  using M = MarkLane<T>;
  return apply_marked<T>(op, permute<T, Map<T, kArgument>>(x.v, unit), permute<M, Map<M, kArgument>>(x.marks, Vector<M>{}), x);
}

template <int kDistance, class T, class Op>
UPSWEEP_CPU_INLINE Marked<T> scan_marked_block(Marked<T> x, Vector<T> unit, Op op) {
  if constexpr (kDistance * sizeof(T) < 16) {
    return scan_marked_block<kDistance * 2, T>(step_marked<UpInBlock, kDistance, T>(x, unit, op), unit, op);
  } else {
    return x;
  }
}

template <class T, class Op>
UPSWEEP_CPU_INLINE Marked<T> scan_marked_vector(Marked<T> x, Vector<T> unit, Op op) {
  x = scan_marked_block<1, T>(x, unit, op);
  if constexpr (kVectorBytes >= 32) {
    x = step_marked<LastBeforeBlocks, 1, T>(x, unit, op);
  }
  if constexpr (kVectorBytes >= 64) {
    x = step_marked<LastBeforeBlocks, 2, T>(x, unit, op);
  }
  return x;
}

// Continues the totals of `right` from the last lane of `left`.
template <class T, class Op>
UPSWEEP_CPU_INLINE void join_marked(const Marked<T> &left, Marked<T> &right, Op op) {
  right = apply_marked<T>(op, last_lane<T>(left.v), last_lane<MarkLane<T>>(left.marks), right);
}

template <class T, class Op>
UPSWEEP_CPU_INLINE void scan_marked_group(Group<T> &g, const std::uint8_t *bytes, Vector<T> &running, Vector<T> unit, Op op) {
  Marked<T> x[kGroupVectors];
  for (int k = 0; k < kGroupVectors; ++k) {
    x[k] = scan_marked_vector<T>({g.v[k], load_marks<T>(bytes + k * kLanes<T>)}, unit, op);
  }
  if constexpr (kGroupVectors == 2) {
    join_marked<T>(x[0], x[1], op);
  } else if constexpr (kGroupVectors == 4) {
    join_marked<T>(x[0], x[1], op);
    join_marked<T>(x[2], x[3], op);
    const Marked<T> half = x[1];
    join_marked<T>(half, x[2], op);
    join_marked<T>(half, x[3], op);
  }
  for (int k = 0; k < kGroupVectors; ++k) {
    g.v[k] = choose<T>(x[k].marks, x[k].v, apply(op, running, x[k].v));
  }
  running = last_lane<T>(g.v[kGroupVectors - 1]);
}

// out[i] = the total since the last mark. Exclusive: the total of `initial` and the elements since the last mark, without
// in[i], and out[n] is overwritten. `side` is as in scan(); exclusive scans do not stream by it.
template <bool kExclusive, class T, class Op>
void scan_marked(const T *in, const std::uint64_t *words, T *out, std::size_t n, T &carry, T unit, T initial, Op op,
                 const Side &side) {
  constexpr std::size_t kGroup = kGroupLanes<T>, kBlock = std::max<std::size_t>(512, kGroup);
  const Vector<T> units = broadcast(unit), initials = broadcast(initial);
  Vector<T> running = broadcast(carry);
  std::uint8_t bytes[kBlock];
  std::size_t line = 0;
  T *const to = out + (kExclusive ? 1 : 0);
  out[0] = carry;
  for (std::size_t begin = 0; begin < n; begin += kBlock) {
    const std::size_t count = std::min(kBlock, n - begin);
    for (std::size_t i = 0; i < count; i += 64) {
      bytes_of_bits(words[(begin + i) / 64], bytes + i);
    }
    for (std::size_t i = 0; i < count; i += kGroup, line += kGroupBytes) {
      _mm_prefetch(reinterpret_cast<const char *>(side.ahead) + line, _MM_HINT_T1);
      const bool is_whole = i + kGroup <= count;
      Group<T> g = is_whole ? load_group<T>(in + begin + i) : load_part_of_group(in + begin + i, count - i, unit);
      if constexpr (kExclusive) {
        for (int k = 0; k < kGroupVectors; ++k) {
          g.v[k] = choose<T>(load_marks<T>(bytes + i + k * kLanes<T>), apply(op, initials, g.v[k]), g.v[k]);
        }
      }
      scan_marked_group<T>(g, bytes + i, running, units, op);
      if (is_whole) {
        std::memcpy(to + begin + i, &g, sizeof(g));
      } else {
        std::memcpy(to + begin + i, &g, (count - i) * sizeof(T));
      }
      if (!kExclusive && line >= side.first_streamed) {
        stream_line(side.stream_to + line - kStreamLag, side.stream_from + line - kStreamLag);
      }
    }
    if constexpr (kExclusive) {
      std::size_t i = 0;
      for (; i + kGroup <= count; i += kGroup) {
        for (int k = 0; k < kGroupVectors; ++k) {
          T *at = out + begin + i + k * kLanes<T>;
          store(at, choose<T>(load_marks<T>(bytes + i + k * kLanes<T>), initials, load(at)));
        }
      }
      for (; i < count; ++i) {
        out[begin + i] = bytes[i] != 0 ? initial : out[begin + i];
      }
    }
  }
  carry = running[0];
}

// The same for every operator.
template <bool kExclusive, class T, class Op>
void chain_marked(const T *in, const std::uint64_t *words, T *out, std::size_t n, T &carry, const T &initial, const Op &op) {
  T total = carry;
  for (std::size_t i = 0; i < n; ++i) {
    const bool is_marked = (words[i / 64] >> (i % 64) & 1) != 0;
    const T x = in[i];
    if constexpr (kExclusive) {
      const T before = is_marked ? initial : total;
      out[i] = before;
      total = op(before, x);
    } else {
      total = is_marked ? x : op(total, x);
      out[i] = total;
    }
  }
  carry = total;
}

}  // namespace upsweep::cpu::detail::UPSWEEP_CPU_TARGET
