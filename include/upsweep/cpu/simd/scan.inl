// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans and reductions in registers by operators that have a vector form. Part of targets.h.
//
// A group of 64 bytes is scanned in blocks of 16 bytes by shifts (Hillis and Steele 1986), and the blocks in pairs (Sklansky
// 1960): two to five shuffles for a vector. A single operation carries the total from group to group.
namespace upsweep::cpu::detail::UPSWEEP_CPU_TARGET {

template <class T>
struct Group {
  Vector<T> v[kGroupVectors];
};

template <int kDistance, class Op, class T>
UPSWEEP_CPU_INLINE Vector<T> scan_block(Vector<T> v, Vector<T> unit, Op op) {
  if constexpr (kDistance * sizeof(T) < 16) {
    v = apply(op, permute<T, UpInBlock<T, kDistance>>(v, unit), v);
    return scan_block<kDistance * 2, Op, T>(v, unit, op);
  } else {
    return v;
  }
}

// Each lane becomes the total of the vector's lanes up to it.
template <class T, class Op>
UPSWEEP_CPU_INLINE Vector<T> scan_vector(Vector<T> v, Vector<T> unit, Op op) {
  v = scan_block<1, Op, T>(v, unit, op);
  if constexpr (kVectorBytes >= 32) {
    v = apply(op, permute<T, LastBeforeBlocks<T, 1>>(v, unit), v);
  }
  if constexpr (kVectorBytes >= 64) {
    v = apply(op, permute<T, LastBeforeBlocks<T, 2>>(v, unit), v);
  }
  return v;
}

template <class T, class Op>
UPSWEEP_CPU_INLINE void scan_group(Group<T> &g, Vector<T> unit, Op op) {
  for (int k = 0; k < kGroupVectors; ++k) {
    g.v[k] = scan_vector<T>(g.v[k], unit, op);
  }
  if constexpr (kGroupVectors == 2) {
    g.v[1] = apply(op, last_lane<T>(g.v[0]), g.v[1]);
  } else if constexpr (kGroupVectors == 4) {
    g.v[1] = apply(op, last_lane<T>(g.v[0]), g.v[1]);
    g.v[3] = apply(op, last_lane<T>(g.v[2]), g.v[3]);
    const Vector<T> half = last_lane<T>(g.v[1]);
    g.v[2] = apply(op, half, g.v[2]);
    g.v[3] = apply(op, half, g.v[3]);
  }
}

template <class T, class In>
UPSWEEP_CPU_INLINE Group<T> load_group(const In *in) {
  Group<T> g;
  for (int k = 0; k < kGroupVectors; ++k) {
    g.v[k] = load_as<T>(in + k * kLanes<T>);
  }
  return g;
}

// The first `count` elements of a group, followed by units.
template <class T, class In>
UPSWEEP_CPU_INLINE Group<T> load_part_of_group(const In *in, std::size_t count, T unit) {
  alignas(kGroupBytes) T part[kGroupLanes<T>];
  for (int lane = 0; lane < kGroupLanes<T>; ++lane) {
    part[lane] = static_cast<std::size_t>(lane) < count ? static_cast<T>(in[lane]) : unit;
  }
  return load_group<T>(part);
}

// out[i] = carry op in[0] op ... op in[i]; the carry becomes the last result. `unit` changes no operand, not even -0 or a NaN.
// in and out may be the same. `side` is other work during the scan, a line of 64 bytes for each group of results.
template <class T, class In, class Op>
void scan(const In *in, T *out, std::size_t n, T &carry, T unit, Op op, const Side &side) {
  const Vector<T> units = broadcast(unit);
  Vector<T> running = broadcast(carry);
  std::size_t i = 0;
  for (std::size_t line = 0; i + kGroupLanes<T> <= n; i += kGroupLanes<T>, line += kGroupBytes) {
    for (std::size_t byte = 0; byte < kGroupLanes<T> * sizeof(In); byte += kGroupBytes) {
      _mm_prefetch(reinterpret_cast<const char *>(side.ahead) + i * sizeof(In) + byte, _MM_HINT_T1);
    }
    Group<T> g = load_group<T>(in + i);
    scan_group(g, units, op);
    for (int k = 0; k < kGroupVectors; ++k) {
      store(out + i + k * kLanes<T>, apply(op, running, g.v[k]));
    }
    running = apply(op, running, last_lane<T>(g.v[kGroupVectors - 1]));
    if (line >= side.first_streamed) {
      stream_line(side.stream_to + line - kStreamLag, side.stream_from + line - kStreamLag);
    }
  }
  if (i < n) {
    Group<T> g = load_part_of_group(in + i, n - i, unit);
    scan_group(g, units, op);
    alignas(kGroupBytes) T part[kGroupLanes<T>];
    for (int k = 0; k < kGroupVectors; ++k) {
      store(part + k * kLanes<T>, apply(op, running, g.v[k]));
    }
    std::memcpy(out + i, part, (n - i) * sizeof(T));
    running = apply(op, running, last_lane<T>(g.v[kGroupVectors - 1]));
  }
  carry = running[0];
}

template <int kWidth, class T, class Op>
UPSWEEP_CPU_INLINE T reduce_lanes(Vector<T> v, Op op) {
  if constexpr (kWidth > 1) {
    return reduce_lanes<kWidth / 2, T>(apply(op, v, permute<T, UpperHalf<T, kWidth>>(v, v)), op);
  } else {
    return v[0];
  }
}

template <class T, class Op>
UPSWEEP_CPU_INLINE void add_group(Group<T> &to, const Group<T> &g, Op op) {
  for (int k = 0; k < kGroupVectors; ++k) {
    to.v[k] = apply(op, to.v[k], g.v[k]);
  }
}

// The total of a group, by halves.
template <class T, class Op>
UPSWEEP_CPU_INLINE T reduce_group(Group<T> g, Op op) {
  if constexpr (kGroupVectors == 4) {
    g.v[0] = apply(op, g.v[0], g.v[2]);
    g.v[1] = apply(op, g.v[1], g.v[3]);
  }
  if constexpr (kGroupVectors >= 2) {
    g.v[0] = apply(op, g.v[0], g.v[1]);
  }
  return reduce_lanes<kLanes<T>, T>(g.v[0], op);
}

// The total of in[0] to in[n - 1], for operators that commute. Four groups of totals hide the operator's latency.
template <class T, class In, class Op>
T reduce(const In *in, std::size_t n, T unit, Op op) {
  constexpr std::size_t kGroup = kGroupLanes<T>;
  if (n < kGroup) {  // segments may be short, so the scan is sequential
    T total = unit;
    for (std::size_t i = 0; i < n; ++i) {
      total = op(total, static_cast<T>(in[i]));
    }
    return total;
  }
  Group<T> totals[4];
  for (Group<T> &total : totals) {
    for (Vector<T> &v : total.v) {
      v = broadcast(unit);
    }
  }
  std::size_t i = 0;
  for (; i + 4 * kGroup <= n; i += 4 * kGroup) {
    for (std::size_t byte = 0; byte < 4 * kGroup * sizeof(In); byte += kGroupBytes) {
      _mm_prefetch(reinterpret_cast<const char *>(in + i) + kPrefetchBytes + byte, _MM_HINT_T1);
    }
    add_group(totals[0], load_group<T>(in + i), op);
    add_group(totals[1], load_group<T>(in + i + kGroup), op);
    add_group(totals[2], load_group<T>(in + i + 2 * kGroup), op);
    add_group(totals[3], load_group<T>(in + i + 3 * kGroup), op);
  }
  for (; i + kGroup <= n; i += kGroup) {
    add_group(totals[0], load_group<T>(in + i), op);
  }
  if (i < n) {
    add_group(totals[1], load_part_of_group(in + i, n - i, unit), op);
  }
  add_group(totals[0], totals[2], op);
  add_group(totals[1], totals[3], op);
  add_group(totals[0], totals[1], op);
  return reduce_group(totals[0], op);
}

}  // namespace upsweep::cpu::detail::UPSWEEP_CPU_TARGET
