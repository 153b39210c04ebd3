// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A quicksort of encoded keys (common/key_order.h) as signed numbers, which all levels can compare. Part of targets.h.
namespace upsweep::cpu::detail::UPSWEEP_CPU_TARGET {

// Numbers that a network sorts.
template <class T>
inline constexpr std::size_t kNetworkKeys = 16 * std::size_t(kLanes<T>);

// Order::encode and decode for the bits in a vector or in a number. The encoded number is signed.
template <class Order, class Bits>
UPSWEEP_CPU_INLINE void encode_bits(Bits &bits) {
  constexpr auto kTop = Order::kTop;
  if constexpr (Order::kIsFloat) {
    const Bits negative = -(bits >> (Order::kBits - 1));
    bits = (((bits ^ (negative | kTop)) - Order::kNaNs) ^ kTop);
  } else if constexpr (!Order::kIsSigned) {
    bits ^= kTop;
  }
  bits = Order::kIsDescending ? ~bits : bits;
}
template <class Order, class Bits>
UPSWEEP_CPU_INLINE void decode_bits(Bits &bits) {
  constexpr auto kTop = Order::kTop;
  bits = Order::kIsDescending ? ~bits : bits;
  if constexpr (Order::kIsFloat) {
    bits = (bits ^ kTop) + Order::kNaNs;
    bits ^= ((bits >> (Order::kBits - 1)) - static_cast<typename Order::Bits>(1)) | kTop;
  } else if constexpr (!Order::kIsSigned) {
    bits ^= kTop;
  }
}

// Converts n keys; the arrays may be the same.
template <class Order, class In, class Out, class Convert>
UPSWEEP_CPU_INLINE void convert_keys(const In *in, Out *out, std::size_t n, const Convert &convert) {
  using Bits = typename Order::Bits;
  constexpr std::size_t kL = kLanes<Bits>;
  for (; n >= kL; n -= kL, in += kL, out += kL) {
    Vector<Bits> bits;
    std::memcpy(&bits, in, sizeof(bits));
    convert(bits);
    std::memcpy(static_cast<void *>(out), &bits, sizeof(bits));
  }
  for (std::size_t i = 0; i < n; ++i) {
    Bits bits;
    std::memcpy(&bits, in + i, sizeof(bits));
    convert(bits);
    std::memcpy(static_cast<void *>(out + i), &bits, sizeof(bits));
  }
}

template <class Order, class Key, class T>
void encode_keys(const Key *in, T *out, std::size_t n) {
  convert_keys<Order>(in, out, n, [](auto &bits) __attribute__((always_inline)) { encode_bits<Order>(bits); });
}

template <class Order, class T>
void decode_keys(T *keys, std::size_t n) {
  if constexpr (Order::kIsFloat || !Order::kIsSigned || Order::kIsDescending) {
    convert_keys<Order>(keys, keys, n, [](auto &bits) __attribute__((always_inline)) { decode_bits<Order>(bits); });
  }
}

// Sorts n encoded keys in a room for 16 vectors, and decodes them. Greatest keys fill the vectors up.
template <class Order, class T>
UPSWEEP_CPU_INLINE void sort_room(T *room, std::size_t n) {
  constexpr std::size_t kL = kLanes<T>;
  const bool is_short = kL <= 8 && n <= 8 * kL;
  std::fill(room + n, room + (is_short ? 8 : 16) * kL, std::numeric_limits<T>::max());
  if constexpr (kL <= 8) {
    if (is_short) {
      sort_vectors<8>(room);
    }
  }
  if (!is_short) {
    sort_vectors<16>(room);
  }
  decode_keys<Order>(room, n);
}

// Sorts up to 16 vectors of encoded keys.
template <class Order, class T>
void sort_by_network(T *keys, std::size_t n) {
  if (n == kNetworkKeys<T>) {
    sort_vectors<16>(keys);
    decode_keys<Order>(keys, n);
    return;
  }
  alignas(64) T room[kNetworkKeys<T>];
  std::memcpy(room, keys, n * sizeof(T));
  sort_room<Order>(room, n);
  std::memcpy(keys, room, n * sizeof(T));
}

// A key near the middle: the median of a sample.
template <class T>
Pivot<T> pivot_of(const T *keys, std::size_t n) {
  constexpr std::size_t kL = kLanes<T>;
  constexpr int kRows = kL <= 8 ? 8 : 16;
  constexpr std::size_t kSample = std::size_t(kRows) * kL;
  alignas(64) T sample[kSample];
  if (n < 16 * kSample) {
    // The median of three in each lane, and from these a median of medians.
    const Vector<T> a = load(keys), b = load(keys + n / 2), c = load(keys + (n - kL));
    store(sample, apply(maximum{}, apply(minimum{}, a, b), apply(minimum{}, apply(maximum{}, a, b), c)));
    const auto median = [](T x, T y, T z) { return std::max(std::min(x, y), std::min(std::max(x, y), z)); };
    if constexpr (kL < 4) {
      return {sample[0], false};
    } else if constexpr (kL < 8) {
      return {median(sample[0], sample[1], sample[2]), false};
    } else {
      return {median(median(sample[0], sample[1], sample[2]), median(sample[3], sample[4], sample[5]), sample[6]), false};
    }
  }
  std::uint64_t random = n;
  const std::size_t step = n / kSample;
  for (std::size_t i = 0; i < kSample; ++i) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    sample[i] = keys[i * step + (random >> 33) % step];
  }
  sort_vectors<kRows>(sample);
  const T key = sample[kSample / 2];
  return {key, key == sample[kSample / 4] || key == sample[kSample * 3 / 4]};
}

// Sorts keys, and decodes them. With bad luck in its pivots it is a heap sort: `depth` is the number of splits left.
template <class Order, class T>
void quick_sort(T *keys, std::size_t n, unsigned depth) {
  while (n > kNetworkKeys<T>) {
    if (depth == 0) {
      std::make_heap(keys, keys + n);
      std::sort_heap(keys, keys + n);
      decode_keys<Order>(keys, n);
      return;
    }
    --depth;
    const Pivot<T> pivot = pivot_of(keys, n);
    constexpr T kLeast = std::numeric_limits<T>::min();
    std::size_t below = split(keys, n, pivot.key), less = below;
    if (below == n || pivot.is_frequent) {
      less = pivot.key == kLeast ? 0 : split(keys, below, static_cast<T>(pivot.key - 1));
      decode_keys<Order>(keys + less, below - less);  // these are equal
    }
    T *const above = keys + below;
    if (less < n - below) {
      quick_sort<Order>(keys, less, depth);
      keys = above;
      n -= below;
    } else {
      quick_sort<Order>(above, n - below, depth);
      n = less;
    }
  }
  sort_by_network<Order>(keys, n);
}

// Sorts keys of up to kFewKeyBytes; the arrays may be the same.
template <class Order, class Key>
void sort_few_keys(const Key *in, Key *out, std::size_t n) {
  using T = std::make_signed_t<typename Order::Bits>;
  alignas(64) T keys[std::max(kNetworkKeys<T>, kFewKeyBytes / sizeof(T))];
  encode_keys<Order>(in, keys, n);
  if (n <= kNetworkKeys<T>) {
    sort_room<Order>(keys, n);
  } else {
    quick_sort<Order>(keys, n, 64);
  }
  std::memcpy(static_cast<void *>(out), keys, n * sizeof(T));
}

// Whether neighbours of n encoded keys ascend, and whether they descend. It stops when neither is true.
// Encoded keys, in a vector of signed numbers or in a number.
template <class Order, class Lanes>
UPSWEEP_CPU_INLINE void read_encoded(const void *keys, Lanes &encoded) {
  using Bits = std::conditional_t<std::is_integral_v<Lanes>, typename Order::Bits, Vector<typename Order::Bits>>;
  Bits bits;
  std::memcpy(&bits, keys, sizeof(bits));
  encode_bits<Order>(bits);
  encoded = Lanes(bits);
}

template <class Order, class Key>
Trend trend_of(const Key *keys, std::size_t n) {
  using T = std::make_signed_t<typename Order::Bits>;
  constexpr std::size_t kL = kLanes<T>, kBlock = 16 * kL;
  Trend trend;
  std::size_t i = 0;
  for (; i + kBlock < n && (trend.ascends || trend.descends); i += kBlock) {
    Vector<T> up{}, down{};
    for (std::size_t k = i; k < i + kBlock; k += kL) {
      Vector<T> own, next;
      read_encoded<Order>(keys + k, own);
      read_encoded<Order>(keys + k + 1, next);
      up |= own < next;
      down |= own > next;
    }
    trend.descends &= bits_above<T>(Vector<T>{}, up) == 0;
    trend.ascends &= bits_above<T>(Vector<T>{}, down) == 0;
  }
  for (; i + 1 < n && (trend.ascends || trend.descends); ++i) {
    T own, next;
    read_encoded<Order>(keys + i, own);
    read_encoded<Order>(keys + i + 1, next);
    trend.descends &= own >= next;
    trend.ascends &= own <= next;
  }
  return trend;
}

}  // namespace upsweep::cpu::detail::UPSWEEP_CPU_TARGET
