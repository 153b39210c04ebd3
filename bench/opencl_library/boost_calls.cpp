// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Boost.Compute's calls on the same queue and buffers. A call that throws ends the benchmark.
#include "boost_calls.h"

#include <boost/compute/algorithm/copy_if.hpp>
#include <boost/compute/algorithm/inclusive_scan.hpp>
#include <boost/compute/algorithm/reduce.hpp>
#include <boost/compute/algorithm/sort.hpp>
#include <boost/compute/command_queue.hpp>
#include <boost/compute/iterator/buffer_iterator.hpp>
#include <boost/compute/lambda.hpp>

#include <memory>

namespace compute = boost::compute;

std::vector<BoostCall> boost_calls(cl_context, cl_device_id, cl_command_queue raw_queue, cl_mem in, cl_mem out, std::size_t n) {
  const auto queue = std::make_shared<compute::command_queue>(raw_queue);
  const compute::buffer from(in), to(out);
  const double bytes = 8.0 * double(n);
  const auto ints = compute::make_buffer_iterator<compute::int_>(from, 0);
  const auto results = compute::make_buffer_iterator<compute::int_>(to, 0);
  const auto words = compute::make_buffer_iterator<compute::uint_>(to, 0);
  const auto floats = compute::make_buffer_iterator<compute::float_>(from, 0);
  const auto sums = compute::make_buffer_iterator<compute::float_>(to, 0);
  const auto end = std::ptrdiff_t(n);
  std::vector<BoostCall> calls;
  calls.push_back({"sum", "i32", bytes, [=] { compute::inclusive_scan(ints, ints + end, results, *queue); }});
  calls.push_back({"sum", "f32", bytes, [=] { compute::inclusive_scan(floats, floats + end, sums, *queue); }});
  calls.push_back({"select 50 %", "i32", bytes * 0.75, [=] {
                     using compute::lambda::_1;
                     compute::copy_if(ints, ints + end, results, (_1 & 1) != 0, *queue);
                   }});
  calls.push_back({"total", "i32", bytes / 2, [=] { compute::reduce(ints, ints + end, results, *queue); }});
  // A sort is in place: with the copy of its input.
  calls.push_back({"sort", "u32", bytes, [=] {
                     queue->enqueue_copy_buffer(from, to, 0, 0, n * 4);
                     compute::sort(words, words + end, *queue);
                   }});
  return calls;
}
