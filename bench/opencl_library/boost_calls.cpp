// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls of Boost.Compute. Its sorts and its search for a median are in place, so their input is copied.
#include "opencl_memory.h"

#include <boost/compute/algorithm/copy_if.hpp>
#include <boost/compute/algorithm/exclusive_scan.hpp>
#include <boost/compute/algorithm/inclusive_scan.hpp>
#include <boost/compute/algorithm/merge.hpp>
#include <boost/compute/algorithm/nth_element.hpp>
#include <boost/compute/algorithm/partition_copy.hpp>
#include <boost/compute/algorithm/reduce.hpp>
#include <boost/compute/algorithm/reduce_by_key.hpp>
#include <boost/compute/algorithm/sort.hpp>
#include <boost/compute/algorithm/sort_by_key.hpp>
#include <boost/compute/algorithm/unique_copy.hpp>
#include <boost/compute/command_queue.hpp>
#include <boost/compute/functional.hpp>
#include <boost/compute/iterator/buffer_iterator.hpp>
#include <boost/compute/lambda.hpp>

#include <memory>

namespace compute = boost::compute;

namespace upsweep::bench {
namespace {

struct Boost {
  std::shared_ptr<compute::command_queue> queue;
  std::size_t n;
  compute::buffer words, numbers, keys, sorted, out, second;
  std::vector<Call> calls;

  Boost(cl_command_queue raw, const Contents &c)
      : queue(std::make_shared<compute::command_queue>(raw)), n(c.n), words(memory_of(raw, 8 * n, c.words.data())),
        numbers(memory_of(raw, 4 * n, c.numbers.data())), keys(memory_of(raw, 4 * n, c.keys.data())),
        sorted(memory_of(raw, 4 * n, c.sorted.data())), out(memory_of(raw, 8 * n, nullptr)),
        second(memory_of(raw, 4 * n, nullptr)) {}

  template <class T>
  static compute::buffer_iterator<T> at(const compute::buffer &buffer, std::size_t place = 0) {
    return compute::make_buffer_iterator<T>(buffer, place);
  }

  template <class Run>
  void add(const char *call, const char *type, double bytes, const Run &run) {
    calls.push_back({call, type, "Boost.Compute", bytes * double(n), run, [q = queue] { q->finish(); }});
  }

  template <class T>
  void add_sum(const char *type, const compute::buffer &in) {
    const auto x = at<T>(in), end = at<T>(in, n), to = at<T>(out);
    add("sum", type, 2 * sizeof(T), [=, q = queue] { compute::inclusive_scan(x, end, to, *q); });
  }

  template <class T>
  void add_other_sums(const char *type, const compute::buffer &in) {
    const auto x = at<T>(in), end = at<T>(in, n), to = at<T>(out);
    const auto q = queue;
    add("exclusive sum", type, 2 * sizeof(T), [=] { compute::exclusive_scan(x, end, to, *q); });
    add("total", type, sizeof(T), [=] { compute::reduce(x, end, to, *q); });
  }

  template <class T>
  void add_sort(const char *type, const compute::buffer &in) {
    const auto to = at<T>(out), end = at<T>(out, n);
    add("sort", type, 2 * sizeof(T), [=, q = queue, out = out, bytes = n * sizeof(T)] {
      q->enqueue_copy_buffer(in, out, 0, 0, bytes);
      compute::sort(to, end, *q);
    });
  }

  void add_others(double runs) {
    using compute::lambda::_1;
    const auto q = queue;
    const auto x = at<int>(words), end = at<int>(words, n), to = at<int>(out), also_to = at<int>(second);
    const auto key = at<int>(keys), key_end = at<int>(keys, n);
    add("max", "i32", 8, [=] { compute::inclusive_scan(x, end, to, compute::max<int>(), *q); });
    add("select 50 %", "i32", 6, [=] { compute::copy_if(x, end, to, (_1 & 1) != 0, *q); });
    add("stable partition", "i32", 8, [=] { compute::partition_copy(x, end, to, also_to, (_1 & 1) != 0, *q); });
    add("unique", "i32", 4 + 4 * runs, [=] { compute::unique_copy(key, key_end, to, *q); });
    add("reduce by key", "i32", 8 + 8 * runs, [=] { compute::reduce_by_key(key, key_end, x, also_to, to, *q); });
    add("largest", "i32", 4, [=] { compute::reduce(x, end, to, compute::max<int>(), *q); });
  }

  void add_orders() {
    using compute::uint_;
    const auto q = queue;
    const auto to = at<uint_>(out), end = at<uint_>(out, n), values = at<uint_>(second), middle = at<uint_>(out, n / 2);
    const auto copy = [q, words = words, bytes = 4 * n](const compute::buffer &buffer, std::size_t from) {
      q->enqueue_copy_buffer(words, buffer, from, 0, bytes);
    };
    add("sort pairs", "u32, u32", 16, [=, out = out, second = second, bytes = 4 * n] {
      copy(out, 0);
      copy(second, bytes);
      compute::sort_by_key(to, end, values, *q);
    });
    add("median", "u32", 4, [=, out = out] {
      copy(out, 0);
      compute::nth_element(to, middle, end, *q);
    });
    const auto a = at<uint_>(sorted), b = at<uint_>(sorted, n / 2), b_end = at<uint_>(sorted, n);
    add("merge", "u32", 8, [=] { compute::merge(a, b, b, b_end, to, *q); });
  }
};

}  // namespace

std::vector<Call> boost_calls(cl_command_queue queue, const Contents &contents) {
  Boost boost(queue, contents);
  boost.add_sum<compute::int_>("i32", boost.words);
  boost.add_sum<compute::float_>("f32", boost.numbers);
  boost.add_sum<compute::long_>("i64", boost.words);
  boost.add_other_sums<compute::int_>("i32", boost.words);
  boost.add_other_sums<compute::float_>("f32", boost.numbers);
  boost.add_others(double(contents.segments()) / double(contents.n));
  boost.add_sort<compute::uint_>("u32", boost.words);
  boost.add_sort<compute::ulong_>("u64", boost.words);
  boost.add_sort<compute::float_>("f32", boost.numbers);
  boost.add_orders();
  return boost.calls;
}

}  // namespace upsweep::bench
