// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Typical calls on streams, which headers_test.py compiles with all warnings, behind the headers.
#include <cstdint>
#include <span>
#include <vector>

struct Order {
  std::uint32_t customer, amount;
};

void sort_streams(const std::vector<double> &numbers, std::vector<double> &sorted, const std::vector<Order> &orders,
                  std::vector<Order> &sorted_orders) {
  namespace external = upsweep::external;
  const external::settings settings{.memory = 100'000'000, .folder = "/tmp"};
  external::array_source<double> source(numbers.data(), numbers.size());
  external::array_sink<double> sink(sorted);
  external::sort<double>(source, sink, settings, upsweep::cpu::descending);
  external::array_source<Order> order_source(orders.data(), orders.size());
  external::array_sink<Order> order_sink(sorted_orders);
  external::sort<Order>(order_source, order_sink, settings, upsweep::cpu::by_members<&Order::customer, &Order::amount>{});
  external::sort<Order>(order_source, order_sink, settings, [](const Order &x, const Order &y) { return x.amount < y.amount; });
}

void merge_files() {
  namespace external = upsweep::external;
  std::vector<external::file_source<std::int64_t>> sources;
  external::file_sink<std::int64_t> sink("merged");
  external::merge<std::int64_t>(std::span(sources), sink, {.memory = 1 << 26});
  sink.close();
}
