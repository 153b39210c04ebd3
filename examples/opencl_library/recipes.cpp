// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every call of the library for OpenCL queues, with the plain C API. The most telling results are checked.
#include <upsweep/opencl/adjacent.h>
#include <upsweep/opencl/axis.h>
#include <upsweep/opencl/compensated.h>
#include <upsweep/opencl/find.h>
#include <upsweep/opencl/gather.h>
#include <upsweep/opencl/histogram.h>
#include <upsweep/opencl/merge.h>
#include <upsweep/opencl/partition.h>
#include <upsweep/opencl/recurrence.h>
#include <upsweep/opencl/reduce.h>
#include <upsweep/opencl/reduce_by_key.h>
#include <upsweep/opencl/run_length_decode.h>
#include <upsweep/opencl/scan.h>
#include <upsweep/opencl/segmented_reduce.h>
#include <upsweep/opencl/segmented_sort.h>
#include <upsweep/opencl/segments.h>
#include <upsweep/opencl/select.h>
#include <upsweep/opencl/select_of_rows.h>
#include <upsweep/opencl/sort.h>
#include <upsweep/opencl/summed_area.h>
#include <upsweep/opencl/three_way_partition.h>
#include <upsweep/opencl/top_k.h>
#include <upsweep/opencl/top_k_of_rows.h>

#include <cstdio>
#include <cstdlib>
#include <source_location>
#include <vector>

namespace up = upsweep::opencl;

namespace {

void require(cl_int code, std::source_location at = std::source_location::current()) {
  if (code == CL_SUCCESS) return;
  std::fprintf(stderr, "line %u: error %d: %s\n", at.line(), code, up::last_message());
  std::exit(1);
}

constexpr std::size_t n = 10000;

template <class T>
struct Memory {
  cl_command_queue queue;
  cl_mem memory;

  Memory(cl_context context, cl_command_queue on, std::size_t count)
      : queue(on), memory(clCreateBuffer(context, CL_MEM_READ_WRITE, count * sizeof(T), nullptr, nullptr)) {}
  ~Memory() { clReleaseMemObject(memory); }
  operator up::array() const { return up::buffer<T>(memory); }
  T at(std::size_t i) const {
    T x{};
    require(clEnqueueReadBuffer(queue, memory, CL_TRUE, i * sizeof(T), sizeof(T), &x, 0, nullptr, nullptr));
    return x;
  }
};

void expect(bool holds, const char *what) {
  if (holds) return;
  std::fprintf(stderr, "wrong: %s\n", what);
  std::exit(1);
}

void calls(cl_context context, cl_command_queue queue) {
  Memory<int> x(context, queue, n), out(context, queue, n), keys(context, queue, n), second(context, queue, n);
  Memory<cl_long> offsets(context, queue, n + 1), total(context, queue, 1);
  Memory<cl_uint> count(context, queue, 1);
  std::vector<int> ones(n, 1), numbers(n);
  for (std::size_t i = 0; i < n; ++i) numbers[i] = static_cast<int>(i / 10);
  require(clEnqueueWriteBuffer(queue, x.memory, CL_TRUE, 0, n * 4, ones.data(), 0, nullptr, nullptr));
  require(clEnqueueWriteBuffer(queue, keys.memory, CL_TRUE, 0, n * 4, numbers.data(), 0, nullptr, nullptr));
  const up::array last = up::buffer<cl_long>(offsets.memory, n);

  // [scans]
  require(up::inclusive_sum(x, out, n, queue));
  require(up::exclusive_scan(x, out, n, up::maximum{}, -1, queue));
  require(up::exclusive_sum(x, offsets, n, queue, up::total_to(last)));    // n + 1 offsets, of 64 bits
  require(up::inclusive_sum(x, out, n, queue, up::backward));              // from the last element on
  require(up::inclusive_scan_of_rows(x, out, n, 100, up::plus{}, queue));  // anew after each 100
  require(up::inclusive_scan_by_key(keys, x, out, n, up::plus{}, queue));  // anew at each other key
  // [/scans]
  expect(offsets.at(n) == n && out.at(n - 1) == 10, "sums");

  // [compactions]
  const up::function is_even("is_even", "bool is_even(int a) { return a % 2 == 0; }");
  require(up::select_if(keys, out, count, n, is_even, queue));  // *count of them, on the device
  require(up::select_by_flag(x, keys, out, count, n, queue));   // or _by_bit, _by_stencil
  require(up::unique(keys, out, count, n, queue));
  require(up::run_length_encode(keys, out, second, count, n, queue));             // values and lengths
  require(up::reduce_by_key(keys, x, out, second, count, n, up::plus{}, queue));  // keys and totals
  // [/compactions]
  expect(count.at(0) == n / 10 && second.at(0) == 10, "runs of ten");

  Memory<int> first(context, queue, 5), one(context, queue, 1);
  Memory<cl_uint> place(context, queue, 1);
  // [others]
  require(up::stable_partition_if(keys, out, second, count, n, is_even, queue));  // the others to `second`
  require(up::sum(x, total, n, queue));                                           // in 64 bits, as `total` has
  require(up::reduce(keys, count, n, up::maximum{}, 7, queue));
  require(up::sort_keys(keys, out, n, queue, up::descending));
  require(up::sort_pairs(keys, out, x, second, n, queue));         // keys, and a value of each
  require(up::top_k_keys(keys, first, n, 5, queue));               // the first 5 of a sort, in order; top_k_pairs, arg_top_k
  require(up::arg_nth_element(keys, one, place, n, 42, queue));    // the key at place 42 of a sort, and where it is
  require(up::top_k_keys_of_rows(keys, out, 100, 100, 3, queue));  // the first 3 of each of 100 rows
  // [/others]
  expect(total.at(0) == n && count.at(0) == n / 10 - 1 && out.at(299) == n / 10 - 10 && second.at(n - 1) == 1,
         "a total, a maximum and a sort");
  expect(first.at(4) == 0 && one.at(0) == 4 && place.at(0) == 42, "the first elements");

  Memory<up::indexed<int>> least(context, queue, 1);
  Memory<cl_long> sum(context, queue, 1);
  // [searches]
  const up::function is_large("is_large", "bool is_large(int a) { return a > 500; }");
  require(up::find_if(keys, total, n, is_large, queue));             // the first place, or n
  require(up::arg_max(keys, least, n, queue));                       // the element and its index, the first of several
  require(up::arg_min(keys, least, up::count_at(total, n), queue));  // over as many elements as the device counted
  require(up::adjacent_difference(keys, out, n, queue));             // out[i] = keys[i] - keys[i - 1]
  require(up::sum(up::gathered(x, keys), sum, n, queue));            // of x[keys[i]]; scattered(out, keys) is an output
  // [/searches]
  expect(total.at(0) == 5010 && sum.at(0) == n && least.at(0).index == 0 && out.at(20) == 1, "searches and differences");

  std::vector<cl_long> ends(n / 10 + 1);
  for (std::size_t k = 0; k < ends.size(); ++k) ends[k] = static_cast<cl_long>(10 * k);
  require(clEnqueueWriteBuffer(queue, offsets.memory, CL_TRUE, 0, ends.size() * 8, ends.data(), 0, nullptr, nullptr));
  Memory<up::indexed<int>> best(context, queue, n);
  Memory<int> columns(context, queue, 100), products(context, queue, n / 10);
  // [reductions]
  const up::function weighted("weighted", "int weighted(int a, ulong i) { return a * (int)(i % 10); }");
  require(up::sum_of_segments(x, out, offsets, n / 10, queue));                  // between offsets[k] and offsets[k + 1]
  require(up::reduce_of_rows(keys, second, 100, 100, up::maximum{}, 0, queue));  // of each of 100 rows
  require(up::transform_reduce_of_rows(x, products, n / 10, 10, up::plus{}, up::with_index(weighted), 0, queue));  // f(x[i], i)
  require(up::sum_of_axis(x, columns, {1, 100, 100}, queue));            // of each column
  require(up::arg_max_of_segments(keys, best, offsets, n / 10, queue));  // the element and its place in the segment
  require(up::sort_keys_of_segments(keys, out, n, offsets, n / 10, queue, up::descending));  // or _of_rows
  // [/reductions]
  expect(out.at(17) == 1 && second.at(99) == n / 10 - 1 && columns.at(3) == 100 && products.at(1) == 45, "totals of parts");
  expect(best.at(5).value == 5 && best.at(5).index == 0, "the first of the largest");

  Memory<int> third(context, queue, n);
  Memory<cl_uint> counts(context, queue, 100);
  Memory<float> weights(context, queue, n), sums(context, queue, n), bins(context, queue, 10);
  const float tenth = 0.1F;
  require(clEnqueueFillBuffer(queue, weights.memory, &tenth, sizeof tenth, 0, n * sizeof tenth, 0, nullptr, nullptr));
  // [parts]
  require(up::stable_partition_in_three(keys, out, second, third, counts, n, is_large, is_even, queue));
  require(up::select_if_of_rows(keys, out, counts, 100, 100, is_even, queue));  // each row's to its front
  require(up::run_length_decode(keys, x, n, out, queue));                       // keys[k], x[k] times; repeat() takes offsets
  require(up::histogram_even(keys, counts, n, 10, 0, 1000, queue));             // 10 bins, each of 100 numbers
  require(up::histogram_even(keys, bins, n, 10, 0, 1000, queue, up::weights(weights)));  // of which each counts a tenth
  require(up::inclusive_compensated_sum(weights, sums, n, queue));                       // as exact as in twice the digits
  // [/parts]
  expect(counts.at(9) == 1000 && out.at(n - 1) == n / 10 - 1 && sums.at(n - 1) == 1000, "parts and counts");
  expect(bins.at(9) > 99.9F && bins.at(9) < 100.1F, "weights");

  // [merges]
  const up::function is_after("is_after", "bool is_after(int a, int b) { return a > b; }");
  require(up::merge(keys, x, out, n / 2, n / 2, queue));      // two sorted ranges; merge_pairs() moves values along
  require(up::merge_sort(keys, second, n, is_after, queue));  // of any type, by any comparison; merge_sort_pairs()
  // [/merges]
  expect(out.at(9) == 0 && out.at(10) == 1 && out.at(n - 1) == n / 20 - 1 && second.at(0) == n / 10 - 1, "merges");

  // [axes]
  require(up::inclusive_sum_of_axis(x, out, {100, 20, 5}, queue));          // axis 1 of 100 x 20 x 5
  require(up::linear_recurrence(x, keys, second, n, queue));                // second[t] = x[t] * second[t - 1] + keys[t]
  require(up::linear_recurrence_of_axis(x, keys, keys, {50, 200}, queue));  // of each of 50 rows
  // [/axes]
  expect(out.at(99) == 20 && second.at(19) == 10, "sums along axes");

  Memory<cl_long> table(context, queue, 101 * 101);
  // [images]
  require(up::summed_area_table(x, offsets, {100, 100}, queue));           // of an image of 100 x 100, in 64 bits
  require(up::exclusive_summed_area_table(x, table, {100, 100}, queue));   // with a row and a column of zeros before it
  require(up::box_filter(x, out, {100, 100}, 5, queue, up::repeated(3)));  // close to a Gaussian
  require(up::box_filter(keys, out, {100, 100}, second, queue));           // of another radius at each pixel
  // [/images]
  expect(offsets.at(n - 1) == n && table.at(0) == 0 && table.at(101 * 101 - 1) == n, "sums of images");

  // [text]
  const up::element_type affine("affine", "typedef struct { float a, b; } affine;", 8, 4);
  const up::operation compose("compose", "affine compose(affine f, affine g) { return (affine){f.a * g.a, f.b * g.a + g.b}; }");
  const up::array maps(affine, x.memory), composed(affine, out.memory);
  require(up::inclusive_scan(maps, composed, n / 2, compose, queue));
  // [/text]

  cl_event ready = nullptr, done = nullptr;
  require(clEnqueueMarkerWithWaitList(queue, 0, nullptr, &ready));
  // [events]
  require(up::inclusive_sum(x, out, n, queue, up::wait_for{&ready, 1}, up::signal(&done)));
  // [/events]
  require(clWaitForEvents(1, &done));
  clReleaseEvent(ready);
  clReleaseEvent(done);
}

}  // namespace

int main() {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  if (clGetPlatformIDs(1, &platform, nullptr) != CL_SUCCESS ||
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) != CL_SUCCESS) {
    return 77;
  }
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);
  calls(context, queue);
  up::release_programs(context);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
}
