// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorts the signed keys of a few vectors. Each lane's column is sorted by a network of comparators (Batcher 1968, odd-even
// merge sort), and bitonic merges then join the columns of neighbouring lanes. Part of targets.h.
namespace upsweep::cpu::detail::UPSWEEP_CPU_TARGET {

// a becomes the smaller key of each lane, and b the greater one.
template <class T>
UPSWEEP_CPU_INLINE void order(Vector<T> &a, Vector<T> &b) {
  const Vector<T> low = apply(minimum{}, a, b), high = apply(maximum{}, a, b);
  a = low;
  b = high;
}

// Lanes whose numbers differ in kMask trade places.
template <class T, int kMask>
struct SwapLanes {
  static constexpr int from(int lane) { return lane ^ kMask; }
};
// Lanes without the bit come from a, the others from b.
template <class T, int kBit>
struct LanesWithBit {
  static constexpr int from(int lane) { return (lane & kBit) == 0 ? lane : kLanes<T> + lane; }
};
// The two results of a step of a transposition.
template <class T, int kBit>
struct TransposeLow {
  static constexpr int from(int lane) { return (lane & kBit) == 0 ? lane : kLanes<T> + lane - kBit; }
};
template <class T, int kBit>
struct TransposeHigh {
  static constexpr int from(int lane) { return (lane & kBit) == 0 ? lane + kBit : kLanes<T> + lane; }
};

template <class Call, std::size_t... kIndex>
UPSWEEP_CPU_INLINE void unrolled(const Call &call, std::index_sequence<kIndex...>) {
  (call(std::integral_constant<int, int(kIndex)>()), ...);
}
// Calls call(constant) for 0 to kCount - 1. Compilers keep an array in registers only if its indices are constants, and GCC
// does not unroll these loops with -O2.
template <int kCount, class Call>
UPSWEEP_CPU_INLINE void unrolled(const Call &call) {
  unrolled(call, std::make_index_sequence<std::size_t(kCount)>());
}

template <class T, int kRows>
UPSWEEP_CPU_INLINE void sort_columns(Vector<T> *rows) {
  unrolled<kSortNetwork<kRows>.count>([&](auto i) __attribute__((always_inline)) {
    order<T>(rows[kSortNetwork<kRows>.pairs[i].first], rows[kSortNetwork<kRows>.pairs[i].second]);
  });
}

// Compares all keys whose rows differ in kDistance, and then in half of it.
template <class T, int kRows, int kDistance>
UPSWEEP_CPU_INLINE void merge_in_columns(Vector<T> *rows) {
  unrolled<kRows>([&](auto i) __attribute__((always_inline)) {
    if constexpr ((i & kDistance) == 0) {
      order<T>(rows[i], rows[i + kDistance]);
    }
  });
  if constexpr (kDistance > 1) {
    merge_in_columns<T, kRows, kDistance / 2>(rows);
  }
}

template <class T, int kRows, int kBit>
UPSWEEP_CPU_INLINE void merge_across_lanes(Vector<T> *rows) {
  if constexpr (kBit > 0) {
    unrolled<kRows>([&](auto i) __attribute__((always_inline)) {
      Vector<T> low = rows[i], high = permute<T, SwapLanes<T, kBit>>(rows[i], rows[i]);
      order<T>(low, high);
      rows[i] = permute<T, LanesWithBit<T, kBit>>(low, high);
    });
    merge_across_lanes<T, kRows, kBit / 2>(rows);
  }
}

// Merges the sorted keys of kSpan lanes with the sorted keys of the next kSpan lanes, then of twice as many, up to all lanes.
template <class T, int kRows, int kSpan>
UPSWEEP_CPU_INLINE void merge_lanes(Vector<T> *rows) {
  if constexpr (kSpan < kLanes<T>) {
    unrolled<kRows / 2>([&](auto i) __attribute__((always_inline)) {
      using Mirror = SwapLanes<T, 2 * kSpan - 1>;
      Vector<T> &a = rows[i], &b = rows[kRows - 1 - i];
      Vector<T> low = a, high = permute<T, Mirror>(b, b);
      order<T>(low, high);
      a = permute<T, LanesWithBit<T, kSpan>>(low, high);
      const Vector<T> rest = permute<T, LanesWithBit<T, kSpan>>(high, low);
      b = permute<T, Mirror>(rest, rest);
    });
    merge_across_lanes<T, kRows, kSpan / 2>(rows);
    merge_in_columns<T, kRows, kRows / 2>(rows);
    merge_lanes<T, kRows, 2 * kSpan>(rows);
  }
}

// Transposes the square of kLanes rows.
template <class T, int kBit>
UPSWEEP_CPU_INLINE void transpose(Vector<T> *rows) {
  if constexpr (kBit < kLanes<T>) {
    unrolled<kLanes<T>>([&](auto i) __attribute__((always_inline)) {
      if constexpr ((i & kBit) == 0) {
        const Vector<T> a = rows[i], b = rows[i + kBit];
        rows[i] = permute<T, TransposeLow<T, kBit>>(a, b);
        rows[i + kBit] = permute<T, TransposeHigh<T, kBit>>(a, b);
      }
    });
    transpose<T, 2 * kBit>(rows);
  }
}

// Sorts kRows vectors of keys.
template <int kRows, class T>
void sort_vectors(T *keys) {
  constexpr int kL = kLanes<T>;
  Vector<T> rows[static_cast<unsigned>(kRows)];
  unrolled<kRows>([&](auto i) __attribute__((always_inline)) { rows[i] = load(keys + i * kL); });
  sort_columns<T, kRows>(rows);
  merge_lanes<T, kRows, 1>(rows);
  unrolled<kRows / kL>([&](auto square) __attribute__((always_inline)) {
    transpose<T, 1>(rows + square * kL);
    unrolled<kL>([&](auto lane)
                     __attribute__((always_inline)) { store(keys + lane * kRows + square * kL, rows[square * kL + lane]); });
  });
}

}  // namespace upsweep::cpu::detail::UPSWEEP_CPU_TARGET
