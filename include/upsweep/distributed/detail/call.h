// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call of all ranks is a sequence of steps. A rank makes its step and then shows the others a report: the
// call's name, types and options, whether the step has failed, and the step's result. So each rank knows whether all ranks are
// in the same step of the same call and whether all can go on. Otherwise all throw, and the next call can use
// the communicator. Elements are exchanged only after a step in which every rank has allocated its memory.
#pragma once

#include <upsweep/cpu/detail/call_arrays.h>
#include <upsweep/cpu/thread_pool.h>
#include <upsweep/distributed/communicator.h>
#include <upsweep/distributed/detail/hash.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <type_traits>
#include <vector>

namespace upsweep::distributed::detail {

inline std::string message_of(const std::exception_ptr &failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception &error) {
    return error.what();
  } catch (...) {
    return "an exception that is no std::exception";
  }
}

// The numbers of elements that a rank exchanges with each other rank, and room for them as bytes.
struct Lengths {
  std::vector<std::uint64_t> send, receive, send_bytes, receive_bytes;

  void resize(unsigned ranks) {
    for (std::vector<std::uint64_t> *all : {&send, &receive, &send_bytes, &receive_bytes}) {
      all->assign(ranks, 0);
    }
  }
};

template <class C>
class Call {
  static_assert(communicator<C>, "the first argument must be a communicator (communicator.h)");
  static_assert(std::is_same_v<typename C::memory, host_memory>, "these calls take communicators of the host's memory");

public:
  // `options` is a number for the types and options that must be the same on all ranks.
  Call(C &ranks, const char *name, std::uint64_t options) : ranks_(ranks), name_(name), options_(options) {
    try {
      reports_.resize(size());
      texts_.resize(size());
    } catch (const std::exception &error) {  // not even a report is possible
      ranks_.abort(std::string(name_) + ": " + error.what());
      throw;
    }
  }
  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;

  unsigned size() const { return ranks_.size(); }
  unsigned rank() const { return ranks_.rank(); }

  // Makes a step whose result is one trivially copyable value. Returns the values of all ranks.
  template <class Step>
  auto gather(const Step &step) {
    using Result = std::decay_t<std::invoke_result_t<const Step &>>;
    static_assert(std::is_trivially_copyable_v<Result>, "results of ranks must be trivially copyable");
    Result own{};
    std::vector<Result> all;
    constexpr bool kFits = sizeof(Result) <= kInline;
    report([&](std::byte *inside) -> std::uint64_t {
      all.resize(size());
      own = step();
      if constexpr (kFits) {
        std::memcpy(inside, static_cast<const void *>(&own), sizeof(Result));
      }
      return sizeof(Result);
    });
    if constexpr (kFits) {
      for (unsigned r = 0; r < size(); ++r) {
        std::memcpy(static_cast<void *>(&all[r]), reports_[r].inside, sizeof(Result));
      }
    } else {
      ranks_.all_gather(&own, all.data(), sizeof(Result));
    }
    return all;
  }

  // Makes a step whose result is a vector of the same length on all ranks. Returns the vectors of all ranks, joined.
  template <class Step>
  auto gather_vectors(const Step &step) {
    using T = typename std::invoke_result_t<const Step &>::value_type;
    static_assert(std::is_trivially_copyable_v<T>, "results of ranks must be trivially copyable");
    std::vector<T> own, all;
    report([&](std::byte *) -> std::uint64_t {
      own = step();
      all.resize(own.size() * size());
      return own.size() * sizeof(T);
    });
    ranks_.all_gather(own.data(), all.data(), own.size() * sizeof(T));
    return all;
  }

  // Makes a step without a result. Returns when no rank has failed.
  template <class Step>
  void agree(const Step &step) {
    report([&](std::byte *) -> std::uint64_t {
      step();
      return 0;
    });
  }

  // Sends each rank a number of bytes, and returns the numbers for this rank. `lengths` has been allocated in an earlier step.
  void exchange_lengths(Lengths &lengths) {
    std::fill(lengths.send_bytes.begin(), lengths.send_bytes.end(), sizeof(std::uint64_t));
    ranks_.all_to_all(lengths.send.data(), lengths.send_bytes.data(), lengths.receive.data(), lengths.send_bytes.data());
  }

  // Sends lengths.send[r] elements to rank r, and receives lengths.receive[r] from it.
  template <class T>
  void exchange(const T *from, T *to, Lengths &lengths) {
    static_assert(std::is_trivially_copyable_v<T>, "elements that are exchanged must be trivially copyable");
    for (unsigned r = 0; r < size(); ++r) {
      lengths.send_bytes[r] = lengths.send[r] * sizeof(T);
      lengths.receive_bytes[r] = lengths.receive[r] * sizeof(T);
    }
    ranks_.all_to_all(from, lengths.send_bytes.data(), to, lengths.receive_bytes.data());
  }

  C &ranks() { return ranks_; }

private:
  static constexpr std::size_t kInline = 80, kText = 400;
  struct Report {
    std::uint64_t options, bytes;
    std::uint32_t step;
    std::uint32_t has_failed;
    char name[24];
    std::byte inside[kInline];
  };
  struct Text {
    char text[kText];
  };

  template <class Step>
  void report(const Step &step) {
    Report own{};
    std::exception_ptr failure;
    own.options = options_;
    own.step = step_++;
    std::strncpy(own.name, name_, sizeof(own.name) - 1);
    try {
      own.bytes = step(own.inside);
    } catch (...) {
      failure = std::current_exception();
      own.has_failed = 1;
    }
    ranks_.all_gather(&own, reports_.data(), sizeof(Report));
    if (std::any_of(reports_.begin(), reports_.end(), [](const Report &r) { return r.has_failed != 0; })) {
      throw_failure(failure);
    }
    require_same_calls();
  }

  // The texts of all ranks are gathered, since every rank knows by now that one has failed.
  [[noreturn]] void throw_failure(const std::exception_ptr &failure) {
    Text own{};
    if (failure != nullptr) {
      std::strncpy(own.text, message_of(failure).c_str(), kText - 1);
    }
    ranks_.all_gather(&own, texts_.data(), sizeof(Text));
    if (failure != nullptr) {
      std::rethrow_exception(failure);
    }
    const auto failed = std::find_if(reports_.begin(), reports_.end(), [](const Report &r) { return r.has_failed != 0; });
    const auto rank = static_cast<unsigned>(failed - reports_.begin());
    throw rank_error(rank, "upsweep::distributed: " + std::string(failed->name) + ": rank " + std::to_string(rank) + ": " +
                               texts_[rank].text);
  }

  void require_same_calls() const {
    const Report &first = reports_.front();
    for (unsigned r = 1; r < size(); ++r) {
      const Report &other = reports_[r];
      const bool is_same_name = std::strncmp(first.name, other.name, sizeof(first.name)) == 0;
      if (!is_same_name) {
        throw std::invalid_argument("upsweep::distributed: rank 0 calls " + std::string(first.name) + ", but rank " +
                                    std::to_string(r) + " calls " + other.name);
      }
      if (first.options != other.options || first.bytes != other.bytes || first.step != other.step) {
        throw std::invalid_argument("upsweep::distributed: " + std::string(first.name) + ": rank 0 and rank " +
                                    std::to_string(r) + " call it with other types or options");
      }
    }
  }

  C &ranks_;
  const char *name_;
  std::uint64_t options_;
  std::uint32_t step_ = 0;
  std::vector<Report> reports_;
  std::vector<Text> texts_;
};

// The executor and options of a call are its last arguments, as in the library for CPU threads.
using cpu::detail::count_of, cpu::detail::executor_of, cpu::detail::find_option, cpu::detail::has_option,
    cpu::detail::option_of, cpu::detail::Unchanged, cpu::detail::ValueOf;

}  // namespace upsweep::distributed::detail
