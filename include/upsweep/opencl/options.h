// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options that may follow a call's queue, in any order:
//
//     up::exclusive_sum(in, out, n, queue, up::wait_for{&ready, 1}, up::signal(&done), up::backward);
#pragma once

#include <upsweep/common/cpp20.h>
#ifdef UPSWEEP_CPP20
#include <upsweep/common/options.h>
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

// *event is complete when the call's results are stored; the caller releases it.
struct signal {
  cl_event *event;
  explicit signal(cl_event *to) : event(to) {}
};

using common::backward, common::backward_t, common::descending, common::descending_t, common::key_bits, common::repeated;

// The total of all elements, with the initial value if there is one, goes to one more element. That element may follow an
// exclusive result, which then has n + 1 elements.
struct total_to {
  array to;
  explicit total_to(array element) : to(std::move(element)) {}
};

// The operator's operands have this type: accumulator<double>, or a type that is defined by text.
struct accumulator_type {
  element_type type;
};
template <class T>
accumulator_type accumulator() {
  return {type_of<T>::value()};
}

// T name(IN x) converts elements to the operator's operands.
struct transform_input {
  function text;
  explicit transform_input(function f) : text(std::move(f)) {}
};

// OUT name(T x) converts results to the output's elements.
struct transform_output {
  function text;
  explicit transform_output(function f) : text(std::move(f)) {}
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

// Structs are sorted by these members alone, the first one being the most significant: by_members{member<float>("energy"),
// member<int>("cell")}.
struct by_members {
  std::vector<key_member> all;
  by_members(std::initializer_list<key_member> members) : all(members) {}
};

// The states at both ends of a recurrence; array() stands for a state that is not used.
struct states {
  array initial, last;
  states(array first, array end) : initial(std::move(first)), last(std::move(end)) {}
};

// For a histogram: pixels of `of` interleaved samples, of which the first `counted` are counted.
struct channels {
  unsigned of = 1, counted = 1;
};

// For a histogram: pixel i counts array[i] times.
struct weights {
  array of_pixels;
  explicit weights(array of) : of_pixels(std::move(of)) {}
};

// How a call is carried out, for tests and measurements; 0 or -1 is the library's choice, which suits the device. A wish that
// the device cannot fulfil is CL_INVALID_OPERATION.
struct plan {
  int launches = 0;    // 1: with look-back; 3: without
  int language = 0;    // OpenCL C: 120, 200 or 300
  int functions = -1;  // 0: none; 1: those of sub-groups; 2: also those of work-groups
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

// Reads the options that a call has besides wait_for, signal and plan.
template <class... Allowed, class... Given>
Options options_of(const Given &...given) {
  static_assert((is_option<Given, wait_for, signal, plan, Allowed...> && ...),
                "upsweep: an argument is no option of this call");
  Options options;
  (options.add(given), ...);
  return options;
}

}  // namespace detail

}  // namespace upsweep::opencl
#endif
