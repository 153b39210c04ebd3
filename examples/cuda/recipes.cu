// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The recipes of docs/cuda.md, which are the lines between the marks, as a program that checks their results.
//
//     nvcc -std=c++17 -arch=native -I include examples/cuda/recipes.cu -o recipes && ./recipes
#include <upsweep/cuda/adjacent.cuh>
#include <upsweep/cuda/axis.cuh>
#include <upsweep/cuda/compensated.cuh>
#include <upsweep/cuda/find.cuh>
#include <upsweep/cuda/gather.cuh>
#include <upsweep/cuda/histogram.cuh>
#include <upsweep/cuda/merge.cuh>
#include <upsweep/cuda/partition.cuh>
#include <upsweep/cuda/recurrence.cuh>
#include <upsweep/cuda/reduce.cuh>
#include <upsweep/cuda/reduce_by_key.cuh>
#include <upsweep/cuda/run_length.cuh>
#include <upsweep/cuda/run_length_decode.cuh>
#include <upsweep/cuda/scan.cuh>
#include <upsweep/cuda/segmented_reduce.cuh>
#include <upsweep/cuda/segmented_sort.cuh>
#include <upsweep/cuda/select.cuh>
#include <upsweep/cuda/select_of_rows.cuh>
#include <upsweep/cuda/sort.cuh>
#include <upsweep/cuda/summed_area.cuh>
#include <upsweep/cuda/three_way_partition.cuh>
#include <upsweep/cuda/top_k.cuh>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace up = upsweep::cuda;

namespace {

struct IsPositive {
  __host__ __device__ bool operator()(int x) const { return x > 0; }
};
struct IsLarge {
  __host__ __device__ bool operator()(int x) const { return x > 1000; }
};
struct ByLastDigit {
  __host__ __device__ bool operator()(int a, int b) const { return a % 10 < b % 10; }
};
struct LastDigit {
  __host__ __device__ int operator()(int x) const { return x % 10; }
};
struct Square {
  __host__ __device__ double operator()(int x) const { return static_cast<double>(x) * x; }
};

void require(cudaError_t error) {
  if (error != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(1);
  }
}

int wrong = 0;
template <class T>
void expect(const char *what, const T *at, T expected) {
  T got;
  require(cudaMemcpy(&got, at, sizeof(T), cudaMemcpyDefault));
  if (got != expected) {
    std::printf("%s is wrong\n", what);
    ++wrong;
  }
}

template <class T>
T *allocate(std::size_t n) {
  T *data = nullptr;
  require(cudaMalloc(&data, n * sizeof(T)));
  return data;
}

// x is 1, -2, 3, -4, ...; keys are 0, 0, 0, 1, 1, 1, ...
struct Arrays {
  static constexpr std::size_t n = 300000;
  int *x = allocate<int>(n), *keys = allocate<int>(n), *flags = allocate<int>(n), *out = allocate<int>(n),
      *second = allocate<int>(n);
  std::int64_t *total = allocate<std::int64_t>(n + 1);
  std::uint64_t *count = allocate<std::uint64_t>(2);

  Arrays() {
    std::vector<int> values(n), thirds(n), evens(n);
    for (std::size_t i = 0; i < n; ++i) {
      values[i] = static_cast<int>(i % 2 == 0 ? i + 1 : -static_cast<int>(i + 1));
      thirds[i] = static_cast<int>(i / 3);
      evens[i] = i % 2 == 0;
    }
    require(cudaMemcpy(x, values.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    require(cudaMemcpy(keys, thirds.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    require(cudaMemcpy(flags, evens.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  }
};

void scans(const Arrays &a, cudaStream_t stream) {
  const auto [x, keys, flags, out, second, total, count] = a;
  const std::size_t n = Arrays::n;
  // [scans]
  require(up::inclusive_sum(x, out, n, stream));
  require(up::exclusive_scan(x, out, n, up::maximum{}, -1, stream));
  require(up::exclusive_sum(x, total, n, up::total_to(total + n), stream));          // n + 1 offsets, of 64 bits
  require(up::inclusive_sum(x, out, n, up::backward, stream));                       // from the last element on
  require(up::inclusive_scan_by_key(keys, x, out, n, up::plus{}, stream));           // anew at each other key
  require(up::inclusive_scan_of_rows(x, out, n, 1000, up::plus{}, stream));          // anew after each 1000
  require(up::inclusive_sum_of_axis(x, out, up::axis{30, 100, 100}, up::backward));  // axis 1 of 30 x 100 x 100
  // [/scans]
  expect("offsets", total + n, std::int64_t(-150000));
  require(up::inclusive_scan_by_key(keys, x, out, n, up::plus{}, stream));
  expect("sum by key", out + 5, -4 + 5 - 6);
}

void compactions(const Arrays &a, cudaStream_t stream) {
  const auto [x, keys, flags, out, second, total, count] = a;
  const std::size_t n = Arrays::n;
  // [compactions]
  require(up::select_if(x, out, count, n, IsPositive{}, stream));                    // *count of them, on the device
  require(up::select_by_flag(x, flags, out, count, n, stream));                      // or _by_bit, _by_stencil
  require(up::stable_partition_if(x, out, second, count, n, IsPositive{}, stream));  // the others to `second`
  require(up::unique(keys, out, count, n, stream));
  require(up::run_length_encode(keys, out, second, count, n, stream));             // values and lengths
  require(up::reduce_by_key(keys, x, out, second, count, n, up::plus{}, stream));  // keys and totals
  // [/compactions]
  expect("number of runs", count, std::uint64_t(100000));
  expect("total of a run", second + 1, -4 + 5 - 6);
}

void reductions(const Arrays &a, cudaStream_t stream) {
  const auto [x, keys, flags, out, second, total, count] = a;
  const std::size_t n = Arrays::n;
  auto *const squares = reinterpret_cast<double *>(total);
  auto *const least = reinterpret_cast<up::indexed<int> *>(total) + 1;
  // [reductions]
  require(up::sum(x, out, n, stream));
  require(up::reduce(x, total, n, up::plus{}, std::int64_t(0), stream));  // in 64 bits
  require(up::transform_reduce(x, squares, n, up::plus{}, Square{}, 0.0, stream));
  require(up::arg_min(x, least, n, stream));            // an element and its index
  require(up::adjacent_difference(x, out, n, stream));  // x[i] - x[i - 1]
  // [/reductions]
  expect("index of the least", &least->index, std::uint64_t(n - 1));
  expect("difference", out + 1, -3);
}

// Calls on rows, segments and axes.
void parts(const Arrays &a, cudaStream_t stream) {
  const auto [x, keys, flags, out, second, total, count] = a;
  const int *const offsets = keys;  // 0, 0, 0, 1, 1, 1, ...
  // [parts]
  require(up::sum_of_rows(x, out, 3000, 100, stream));                               // 3000 rows of 100
  require(up::sum_of_axis(x, out, up::axis{30, 100, 100}, stream));                  // 30 x 100 results
  require(up::reduce_of_segments(x, out, offsets, 999, up::maximum{}, -1, stream));  // from offsets[k] to before offsets[k + 1]
  require(up::select_if_of_rows(x, second, count, 1, 100, IsPositive{}, stream));    // each row's to its front
  // [/parts]
  expect("second positive of a row", second + 1, 3);
  expect("maximum of no elements", out, -1);
  expect("maximum of the first element", out + 2, 1);
}

void others(const Arrays &a, cudaStream_t stream) {
  const auto [x, keys, flags, out, second, total, count] = a;
  const std::size_t n = Arrays::n;
  int *const third = reinterpret_cast<int *>(total);
  // [others]
  require(up::sum(up::gathered(x, keys), total, n, stream));  // of x[keys[i]]; scattered(out, keys) is an output
  require(up::find_if(x, count, n, IsLarge{}, stream));       // the first one's index, or n
  require(up::stable_partition_in_three(x, out, second, third, count, n, IsLarge{}, IsPositive{}, stream));
  require(up::run_length_decode(keys, flags, n, out, stream));  // keys[k], flags[k] times
  // [/others]
  expect("the first key", out, 0);
}

void sorts(const Arrays &a, cudaStream_t stream) {
  const auto [x, keys, flags, out, second, total, count] = a;
  const std::size_t n = Arrays::n;
  const int *const offsets = keys;  // 0, 0, 0, 1, 1, 1, ...
  auto *const indices = reinterpret_cast<unsigned *>(second);
  // [sorts]
  require(up::sort_keys(x, out, n, up::descending, stream));
  require(up::sort_pairs(x, out, keys, second, n, stream));             // keys, and a value of each
  require(up::sort_keys_of_segments(x, out, n, offsets, 999, stream));  // from offsets[k] to before offsets[k + 1]
  require(up::arg_sort_of_rows(x, out, indices, 3000, 100, stream));    // 3000 rows of 100
  require(up::top_k_keys(x, out, n, 10, up::descending, stream));       // the 10 largest
  require(up::nth_element(x, out + 10, n, n / 2, stream));              // the median
  require(up::merge_sort(x, second, n, ByLastDigit{}, stream));  // by a comparison; merge() of two arrays that are sorted
  // [/sorts]
  expect("the largest", out, 299999);
  expect("the median", out + 10, 1);
}

void histograms(const Arrays &a, cudaStream_t stream) {
  const auto [x, keys, flags, out, second, total, count] = a;
  const std::size_t n = Arrays::n;
  const auto *const pixels = reinterpret_cast<const unsigned char *>(x);
  const int *const levels = keys;          // 0, 0, 0, 1, 1, 1, ...
  const up::region image(640, 100, 4096);  // 100 rows of 640 pixels, 4096 bytes apart
  // [histograms]
  require(up::histogram_even(x, out, n, 100, -1000, 1000, stream));                   // 100 bins, each of 20 numbers
  require(up::histogram_of_levels(x, out, n, 999, levels, stream));                   // from levels[b] to before levels[b + 1]
  require(up::histogram_by(x, out, n, 10, LastDigit{}, up::weights(flags), stream));  // sums of weights by a function
  require(up::histogram_even(pixels, second, image, 256, 0, 256, up::channels<4, 3>, stream));  // red, green, blue
  // [/histograms]
  expect("weight of the last digit 1", out + 1, 30000);
  require(up::histogram_even(x, out, n, 100, -1000, 1000, stream));
  expect("numbers from 0 to 19", out + 50, 10);
}

void areas(const Arrays &a, cudaStream_t stream) {
  const auto [x, keys, flags, out, second, total, count] = a;
  int *const third = reinterpret_cast<int *>(total);
  const int *const radii = keys;
  // [areas]
  const up::image_shape image{300, 200, 1};  // height, width and channels
  require(up::summed_area_table(x, out, image, stream));
  require(up::exclusive_summed_area_table(x, second, image, stream));  // 301 x 201 sums
  require(up::box_filter(flags, third, image, 100, stream));           // means of up to 201 x 201 pixels
  require(up::box_filter(flags, third, image, radii, stream));         // a radius for each pixel
  // [/areas]
  expect("sum of a row", out + 199, -100);
  expect("sum of two pixels", out + 200, 202);
  expect("sum before the second pixel of the second row", second + 202, 1);
  expect("the first pixel", third, 1);
}

// h[t] = a[t] * h[t - 1] + b[t]
void recurrences(const Arrays &arrays, cudaStream_t stream) {
  const std::size_t n = 3000;
  auto *const a = reinterpret_cast<float *>(arrays.out), *const b = a + n, *const h = b + n;
  const std::vector<float> halves(n, 0.5f);
  require(cudaMemcpy(a, halves.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  require(cudaMemcpy(b, halves.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  // [recurrences]
  require(up::linear_recurrence(a, b, h, n, stream));  // h[t] = a[t] * h[t - 1] + b[t]
  require(up::linear_recurrence_of_axis(a, b, h, up::axis{1, 30, 100}, stream));
  require(up::compensated_sum(a, b, n, stream));  // as exact as in twice the digits
  // [/recurrences]
  expect("second state", h + 100, 0.75f);
  expect("compensated sum", b, 1500.0f);
}

void without_the_host(const Arrays &a, cudaStream_t stream) {
  const auto [x, keys, flags, out, second, total, count] = a;
  const std::size_t n = Arrays::n;
  // [chain]
  up::workspace space;  // initialised once, for call after call on one stream
  space.bytes = std::max(up::scan_workspace_bytes<int>(n), up::select_workspace_bytes<int>(n));
  require(cudaMalloc(&space.data, space.bytes));
  require(up::initialise(space, stream));

  require(up::select_if(space, x, out, count, n, IsPositive{}, stream));
  require(up::inclusive_sum(space, out, second, up::count_at(count, n), stream));  // sums as many elements as were selected
  // [/chain]
  expect("sum of what is selected", second + 2, 1 + 3 + 5);
  require(cudaFree(space.data));
}

}  // namespace

int main() {
  cudaStream_t stream = nullptr;
  require(cudaStreamCreate(&stream));
  const Arrays arrays;
  scans(arrays, stream);
  compactions(arrays, stream);
  reductions(arrays, stream);
  parts(arrays, stream);
  others(arrays, stream);
  sorts(arrays, stream);
  histograms(arrays, stream);
  areas(arrays, stream);
  recurrences(arrays, stream);
  without_the_host(arrays, stream);
  require(cudaDeviceSynchronize());
  std::printf("%d results are wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}
