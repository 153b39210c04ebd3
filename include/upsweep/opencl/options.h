// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What may follow a call's queue, in any order:
//
//     up::exclusive_sum(in, out, n, queue, up::wait_for{&ready, 1}, up::signal(&done), up::backward);
#pragma once

#include <upsweep/opencl/array.h>
#include <upsweep/opencl/operators.h>

#include <optional>
#include <vector>

namespace upsweep::opencl {

// The call's commands begin when these events are complete.
struct wait_for {
  const cl_event *events;
  cl_uint count;
};

// *event is complete when the call's results are there; the caller releases it.
struct signal {
  cl_event *event;
  explicit signal(cl_event *to) : event(to) {}
};

// From the last element to the first: element i of an inclusive result is the total of elements n - 1 to i.
struct backward_t {};
inline constexpr backward_t backward{};

// The reverse order of a sort; equal keys keep theirs.
struct descending_t {};
inline constexpr descending_t descending{};

// The total of all elements, with the initial value if there is one, goes to one more element; behind an exclusive result that
// has n + 1 elements then.
struct total_to {
  array to;
  explicit total_to(array element) : to(std::move(element)) {}
};

// The operands of the operator are of this type: accumulator<double>, or of a type that is given as text.
struct accumulator_type {
  element_type type;
};
template <class T>
accumulator_type accumulator() {
  return {type_of<T>::value()};
}

// T name(IN x) makes the operator's operands of the elements.
struct transform_input {
  function text;
  explicit transform_input(function f) : text(std::move(f)) {}
};

// OUT name(T x) makes the output's elements of the results.
struct transform_output {
  function text;
  explicit transform_output(function f) : text(std::move(f)) {}
};

// Only bits `begin` to `end` - 1 of integer keys count in a sort.
struct key_bits {
  unsigned begin, end;
};

// A member of a struct that is a key: a number of type T.
struct key_member {
  std::string name;
  element_type type;
};
template <class T>
key_member member(std::string name) {
  return {std::move(name), type_of<T>::value()};
}

// Structs are sorted by these members alone, the first one most: by_members{member<float>("energy"), member<int>("cell")}.
struct by_members {
  std::vector<key_member> all;
  by_members(std::initializer_list<key_member> members) : all(members) {}
};

// The states at both ends of a recurrence; array() for either that is not wanted.
struct states {
  array initial, last;
  states(array first, array end) : initial(std::move(first)), last(std::move(end)) {}
};

// Of a histogram: pixels of `of` samples side by side, of which the first `counted` are counted.
struct channels {
  unsigned of = 1, counted = 1;
};

// Of a histogram: pixel i counts array[i] times.
struct weights {
  array of_pixels;
  explicit weights(array of) : of_pixels(std::move(of)) {}
};

// The filter as often as that: each time, the image is rounded to elements of the output.
struct repeated {
  unsigned times;
  explicit repeated(unsigned number) : times(number) {}
};

// How a call is carried out, for tests and measurements; 0 or -1 is the library's choice, which suits the device. A wish that
// the device cannot fulfil is CL_INVALID_OPERATION.
struct plan {
  int launches = 0;    // 1: one with look-back; 3: three
  int language = 0;    // OpenCL C: 120, 200 or 300
  int functions = -1;  // 0: none; 1: those of sub-groups; 2: those of work-groups, too
  unsigned group = 0;  // work-items of a work-group: a power of two
  unsigned items = 0;  // elements of a tile for each work-item
};

namespace detail {

template <class Given, class... Allowed>
inline constexpr bool is_option = (std::is_same_v<Given, Allowed> || ...);

struct Options {
  std::vector<cl_event> waits;
  cl_int wait_error = CL_SUCCESS;
  cl_event *event = nullptr;
  bool is_backward = false;
  bool is_descending = false;
  std::optional<array> total;
  std::optional<element_type> accumulator;
  std::optional<key_bits> bits;
  std::optional<by_members> members;
  std::optional<states> ends;
  function input, output;
  channels pixel;
  std::optional<array> pixel_weights;
  unsigned times = 1;
  plan how;

  void add(const wait_for &w) {
    if ((w.events == nullptr) != (w.count == 0)) wait_error = CL_INVALID_EVENT_WAIT_LIST;
    if (w.events != nullptr) waits.insert(waits.end(), w.events, w.events + w.count);
  }
  void add(const signal &s) { event = s.event; }
  void add(backward_t) { is_backward = true; }
  void add(descending_t) { is_descending = true; }
  void add(const total_to &t) { total = t.to; }
  void add(const accumulator_type &a) { accumulator = a.type; }
  void add(const transform_input &t) { input = t.text; }
  void add(const transform_output &t) { output = t.text; }
  void add(const key_bits &b) { bits = b; }
  void add(const by_members &m) { members = m; }
  void add(const states &s) { ends = s; }
  void add(const channels &c) { pixel = c; }
  void add(const weights &w) { pixel_weights = w.of_pixels; }
  void add(const repeated &r) { times = r.times; }
  void add(const plan &p) { how = p; }
};

// Of the options that a call has beside wait_for, signal and plan.
template <class... Allowed, class... Given>
Options options_of(const Given &...given) {
  static_assert((is_option<Given, wait_for, signal, plan, Allowed...> && ...), "upsweep: the call does not have this option");
  Options options;
  (options.add(given), ...);
  return options;
}

}  // namespace detail

}  // namespace upsweep::opencl
