// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options of a device-wide scan: backward, transforms, iterators, an initial value and a number of elements in device memory,
// and the total behind the results.
#include "scan_check.h"

using namespace upsweep::test;

namespace {

struct Widen {
  __host__ __device__ std::uint32_t operator()(std::uint8_t value) const { return value * 0x01010101u + 7; }
};
struct Fold {
  __host__ __device__ std::uint64_t operator()(std::uint32_t sum) const { return ~static_cast<std::uint64_t>(sum) << 9; }
};
struct Shrink {
  __host__ __device__ std::uint16_t operator()(std::uint32_t sum) const { return static_cast<std::uint16_t>(sum >> 3); }
};

template <class Derived, class T, class Reference>
struct RandomAccess {
  using iterator_category = std::random_access_iterator_tag;
  using value_type = T;
  using difference_type = std::ptrdiff_t;
  using pointer = T *;
  using reference = Reference;
  __host__ __device__ Reference operator*() const { return static_cast<const Derived &>(*this)[0]; }
};

// The numbers 3 * first, 3 * (first + 1), ..., computed without memory.
struct Multiples : RandomAccess<Multiples, std::uint64_t, std::uint64_t> {
  std::uint64_t first;
  __host__ __device__ explicit Multiples(std::uint64_t at) : first(at) {}
  __host__ __device__ std::uint64_t operator[](std::ptrdiff_t i) const { return 3 * (first + i); }
  __host__ __device__ Multiples operator+(std::ptrdiff_t i) const { return Multiples(first + i); }
};

// Every second place of an array.
struct EverySecond : RandomAccess<EverySecond, std::uint64_t, std::uint64_t &> {
  std::uint64_t *at;
  __host__ __device__ explicit EverySecond(std::uint64_t *place) : at(place) {}
  __host__ __device__ std::uint64_t &operator[](std::ptrdiff_t i) const { return at[2 * i]; }
  __host__ __device__ EverySecond operator+(std::ptrdiff_t i) const { return EverySecond(at + 2 * i); }
};

}  // namespace

UPSWEEP_TEST(GivenBackward_WhenScannedInclusively_ThenElementsAreTakenFromTheLastOn) {
  for (const std::size_t n : edge_sizes<Affine<1>>()) {
    const auto values = scan_values<Affine<1>>(n);
    check_places("backward inclusive", values, reversed(inclusive_reference(reversed(values), Compose{})),
                 [&](const Affine<1> *in, Affine<1> *out, auto... options) {
                   return cuda::inclusive_scan(shared_space(), in, out, n, Compose{}, nullptr, options..., cuda::backward);
                 });
  }
}

UPSWEEP_TEST(GivenBackward_WhenSummed_ThenOrderOfReadingDoesNotMatter) {
  for (const std::size_t n : edge_sizes<std::uint32_t>()) {
    const auto values = scan_values<std::uint32_t>(n);
    check_places("backward sum", values, reversed(inclusive_reference(reversed(values), cuda::plus{})),
                 [&](const std::uint32_t *in, std::uint32_t *out, auto... options) {
                   return cuda::inclusive_sum(shared_space(), in, out, n, nullptr, options..., cuda::backward);
                 });
  }
}

UPSWEEP_TEST(GivenBackward_WhenScannedExclusively_ThenTotalIsOfAll) {
  Placed<Heisenberg> total(1, 0);
  for (const std::size_t n : edge_sizes<Heisenberg>()) {
    const auto values = scan_values<Heisenberg>(n);
    const Heisenberg initial{3, 5, 7};
    const auto expected = exclusive_reference(reversed(values), HeisenbergProduct{}, initial);
    check_places("backward exclusive", values, reversed(expected.results),
                 [&](const Heisenberg *in, Heisenberg *out, auto... options) {
                   return cuda::exclusive_scan(shared_space(), in, out, n, HeisenbergProduct{}, initial, nullptr,
                                               cuda::total_to(total.data()), cuda::backward, options...);
                 });
    expect_same("backward total", total.download(), {expected.total});
  }
}

UPSWEEP_TEST(GivenTransforms_WhenTypesWiden_ThenEachIsApplied) {
  for (const std::size_t n : edge_sizes<std::uint8_t, std::uint32_t, std::uint64_t>()) {
    const auto values = scan_values<std::uint8_t>(n);
    std::vector<std::uint32_t> widened(n);
    std::transform(values.begin(), values.end(), widened.begin(), Widen{});
    const auto sums = inclusive_reference(widened, cuda::plus{});
    std::vector<std::uint64_t> expected(n);
    std::transform(sums.begin(), sums.end(), expected.begin(), Fold{});
    check_places("transforms", values, expected, [&](const std::uint8_t *in, std::uint64_t *out, auto... options) {
      return cuda::inclusive_scan(shared_space(), in, out, n, cuda::plus{}, nullptr, cuda::transform_output(Fold{}), options...,
                                  cuda::transform_input(Widen{}));
    });
  }
}

UPSWEEP_TEST(GivenTransforms_WhenTypesShrinkBackward_ThenEachIsApplied) {
  for (const std::size_t n : edge_sizes<std::uint32_t, std::uint32_t, std::uint16_t>()) {
    const auto values = scan_values<std::uint32_t>(n);
    const auto sums = reversed(exclusive_reference(reversed(values), cuda::plus{}, 0u).results);
    std::vector<std::uint16_t> expected(n);
    std::transform(sums.begin(), sums.end(), expected.begin(), Shrink{});
    check_places("shrinking", values, expected, [&](const std::uint32_t *in, std::uint16_t *out, auto... options) {
      return cuda::exclusive_sum(shared_space(), in, out, n, nullptr, cuda::transform_output(Shrink{}), cuda::backward,
                                 options...);
    });
  }
}

UPSWEEP_TEST(GivenIterators_WhenScanned_ThenTheyAreReadAndWritten) {
  for (const std::size_t n : edge_sizes<std::uint64_t>()) {
    std::vector<std::uint64_t> values(n), poison(1);
    for (std::size_t i = 0; i < n; ++i) {
      values[i] = Multiples(100)[i];
    }
    std::memset(poison.data(), kPoison, sizeof(std::uint64_t));
    const auto sums = exclusive_reference(values, cuda::plus{}, std::uint64_t(0)).results;
    std::vector<std::uint64_t> expected(2 * n, poison.front());
    for (std::size_t i = 0; i < n; ++i) {
      expected[2 * i] = sums[i];
    }
    Placed<std::uint64_t> out(2 * n, 0);
    UPSWEEP_CUDA(cuda::exclusive_sum(shared_space(), Multiples(100), EverySecond(out.data()), n));
    expect_same("iterators", out.download(), expected);
    out.poison();
    UPSWEEP_CUDA(cuda::exclusive_sum(shared_space(), Multiples(100), EverySecond(out.data()), n, nullptr, cuda::reproducible));
    expect_same("iterators pipelined", out.download(), expected);
    UPSWEEP_CHECK(out.surroundings_are_intact());
  }
}

UPSWEEP_TEST(GivenTotalBehindResults_WhenExclusive_ThenResultHasOneElementMore) {
  for (const std::size_t n : edge_sizes<std::uint32_t>()) {
    const auto values = scan_values<std::uint32_t>(n);
    auto expected = exclusive_reference(values, cuda::plus{}, 11u);
    expected.results.push_back(expected.total);
    Placed<std::uint32_t> initial(std::vector<std::uint32_t>{11}, 0), in(values, 0), out(n + 1, 0);
    const cuda::initial_at<std::uint32_t> at(initial.data());
    UPSWEEP_CUDA(cuda::exclusive_scan(shared_space(), in.data(), out.data(), n, cuda::plus{}, at, nullptr,
                                      cuda::total_to(out.data() + n)));
    expect_same("n + 1", out.download(), expected.results);
    out.poison();
    UPSWEEP_CUDA(cuda::exclusive_scan(shared_space(), in.data(), out.data(), n, cuda::plus{}, at, nullptr, cuda::reproducible,
                                      cuda::total_to(out.data() + n)));
    expect_same("n + 1 pipelined", out.download(), expected.results);
    UPSWEEP_CHECK(out.surroundings_are_intact());
  }
}

// Each call starts from the total that the previous call wrote.
UPSWEEP_TEST(GivenTotalInPlaceOfTheInitialValue_WhenScannedInTurn_ThenEachGoesOn) {
  for (const std::size_t n : edge_sizes<std::uint32_t>()) {
    const auto values = scan_values<std::uint32_t>(n);
    Placed<std::uint32_t> in(values, 0), out(n, 0), total(std::vector<std::uint32_t>{11}, 0);
    std::uint32_t initial = 11;
    for (int call = 0; call < 3; ++call) {
      out.poison();
      UPSWEEP_CUDA(cuda::exclusive_scan(shared_space(), in.data(), out.data(), n, cuda::plus{},
                                        cuda::initial_at<std::uint32_t>(total.data()), nullptr, cuda::total_to(total.data())));
      const auto expected = exclusive_reference(values, cuda::plus{}, initial);
      expect_same("in turn", out.download(), expected.results);
      expect_same("total in turn", total.download(), {expected.total});
      initial = expected.total;
    }
  }
}

UPSWEEP_TEST(GivenTotalInPlaceOfTheFirstElement_WhenScanned_ThenThatIsReadBefore) {
  for (const std::size_t n : edge_sizes<std::uint32_t>()) {
    if (n == 0) {
      continue;
    }
    auto values = scan_values<std::uint32_t>(n);
    Placed<std::uint32_t> in(values, 0), out(n, 0);
    UPSWEEP_CUDA(cuda::inclusive_sum(shared_space(), in.data(), out.data(), n, nullptr, cuda::total_to(in.data())));
    const auto expected = inclusive_reference(values, cuda::plus{});
    expect_same("total in the input", out.download(), expected);
    values.front() = expected.back();
    expect_same("input with a total", in.download(), values);
  }
}

UPSWEEP_TEST(GivenCountInDeviceMemory_WhenItIsLess_ThenTheRestIsLeftAlone) {
  Placed<std::uint64_t> count(1, 0);
  for (const std::size_t most : edge_sizes<std::uint32_t>()) {
    const auto values = scan_values<std::uint32_t>(most);
    Placed<std::uint32_t> in(values, 0), out(most, 0);
    for (const std::size_t n : {std::size_t(0), std::size_t(1), most / 3, most - 1, most}) {
      if (n > most) {
        continue;
      }
      count.upload({n});
      const cuda::count_at at(count.data(), most);
      const std::vector<std::uint32_t> part(values.begin(), values.begin() + n);
      const auto check = [&](const std::string &what, std::vector<std::uint32_t> expected) {
        std::uint32_t poison = 0;
        std::memset(&poison, kPoison, sizeof(poison));
        expected.resize(most, poison);
        expect_same("count_at " + what + " " + std::to_string(n) + " of", out.download(), expected);
        UPSWEEP_CHECK(out.surroundings_are_intact());
        out.poison();
      };
      UPSWEEP_CUDA(cuda::inclusive_sum(shared_space(), in.data(), out.data(), at));
      check("forward", inclusive_reference(part, cuda::plus{}));
      UPSWEEP_CUDA(cuda::inclusive_sum(shared_space(), in.data(), out.data(), at, nullptr, cuda::reproducible));
      check("forward pipelined", inclusive_reference(part, cuda::plus{}));
      UPSWEEP_CUDA(cuda::inclusive_sum(shared_space(), in.data(), out.data(), at, nullptr, cuda::backward));
      check("backward", reversed(inclusive_reference(reversed(part), cuda::plus{})));
    }
  }
}

UPSWEEP_TEST(GivenNoElements_WhenTotalIsAskedFor_ThenItIsTheInitialValue) {
  // Device memory holds the number 0, although up to `most` elements are possible; `most` selects the kernel.
  for (const std::size_t most : {std::size_t(0), std::size_t(5000), std::size_t(5000000)}) {
    Placed<std::uint32_t> total(1, 0), in(most, 0), out(most, 0);
    Placed<std::uint64_t> count(std::vector<std::uint64_t>{0}, 0);
    UPSWEEP_CUDA(cuda::exclusive_scan(shared_space(), in.data(), out.data(), cuda::count_at(count.data(), most), cuda::plus{},
                                      42u, nullptr, cuda::total_to(total.data())));
    expect_same("total of none", total.download(), std::vector<std::uint32_t>{42});
    UPSWEEP_CHECK(out.surroundings_are_intact());
  }
  Placed<std::uint32_t> total(1, 0);
  std::uint32_t *const none = nullptr;
  UPSWEEP_CUDA(cuda::exclusive_scan(shared_space(), none, none, std::size_t(0), cuda::plus{}, 43u, nullptr,
                                    cuda::total_to(total.data())));
  expect_same("total of no array", total.download(), std::vector<std::uint32_t>{43});
}

UPSWEEP_TEST(GivenNoPlaceOfTheInitialValue_WhenScanned_ThenRefused) {
  Placed<std::uint32_t> in(100, 0), out(100, 0), total(1, 0);
  UPSWEEP_CHECK(cuda::exclusive_scan(shared_space(), in.data(), out.data(), std::size_t(100), cuda::plus{},
                                     cuda::initial_at<std::uint32_t>(nullptr), nullptr,
                                     cuda::total_to(total.data())) == cudaErrorInvalidValue);
  UPSWEEP_CHECK(out.surroundings_are_intact());
}
