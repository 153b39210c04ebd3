// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call of all ranks on GPUs: steps of this rank alone, whose failures are kept for wait(), and gatherings between them, which
// a failed rank joins.
#pragma once

#include <upsweep/cuda/device/call.cuh>
#include <upsweep/cuda/reduce.cuh>
#include <upsweep/distributed/cuda/communicator.cuh>
#include <upsweep/distributed/detail/hash.h>

#include <type_traits>

namespace upsweep::distributed::detail {

namespace gpu = upsweep::cuda::detail;

template <class C>
class DeviceCall {
  static_assert(device_communicator<C>, "the first argument must be a communicator of devices (cuda/communicator.cuh)");

public:
  // `options` is a number for the types and options that must be the same on all ranks.
  DeviceCall(C &ranks, const char *name, std::uint64_t options)
      : ranks_(ranks), name_(name), hash_(mix(options, hash_of(name))) {}
  DeviceCall(const DeviceCall &) = delete;
  DeviceCall &operator=(const DeviceCall &) = delete;

  C &ranks() const { return ranks_; }
  unsigned size() const { return ranks_.size(); }
  unsigned rank() const { return ranks_.rank(); }
  cudaStream_t stream() const { return ranks_.stream(); }

  // Makes a step without other ranks, unless this one has failed.
  template <class Step>
  void local(const Step &step) {
    if (ranks_.failure() != cudaSuccess) {
      return;
    }
    const cudaError_t error = step();
    if (error != cudaSuccess) {
      ranks_.fail(name_, error);
    }
  }

  RecordHeader header(std::uint64_t n) const {
    const cudaError_t failure = ranks_.failure();
    return {hash_, n, failure != cudaSuccess ? 1U : 0U, static_cast<std::uint32_t>(failure), 0, 0};
  }
  RecordCheck check() const { return {hash_, size(), rank(), ranks_.status()}; }

  // Makes a step that writes this rank's record, gathers the records of all ranks, and runs finish(records) on the device. If
  // the step fails, the record says so.
  template <class Step, class Finish>
  void gather(std::uint64_t n, const Step &step, const Finish &finish) {
    local(step);
    cudaError_t error = cudaSuccess;
    if (ranks_.failure() != cudaSuccess) {
      error = gpu::launch(write_header_kernel<>, 1, 1, 0, stream(), ranks_.own_record(), header(n));
    }
    if (error == cudaSuccess) {
      error = gather_then(ranks_, finish);
    }
    if (error != cudaSuccess) {
      ranks_.abort(std::string(name_) + ": " + cudaGetErrorString(error));
      require_success(error, name_);
    }
  }

  // The values of all ranks on the host. Throws on all ranks if one has failed, or is in another call.
  template <class T>
  std::vector<T> gather_on_host(const T &own) {
    static_assert(std::is_trivially_copyable_v<T>);
    struct Report {
      std::uint64_t hash;
      cudaError_t failure;
      T value;
    };
    const Report report{hash_, ranks_.failure(), own};
    std::vector<Report> all(size());
    ranks_.host_gather(&report, all.data(), sizeof(Report));
    std::vector<T> values;
    for (unsigned r = 0; r < size(); ++r) {
      require_report(r, all[r].hash, all[r].failure);
      values.push_back(all[r].value);
    }
    return values;
  }

private:
  void require_report(unsigned r, std::uint64_t hash, cudaError_t failure) {
    const std::string other = "upsweep::distributed: rank " + std::to_string(r) + ": " + name_ + ": ";
    if (hash != hash_) {
      throw rank_error(r, other + "it makes another call, or has other types or options");
    }
    if (failure != cudaSuccess) {
      const cudaError_t own = ranks_.forget_failure();
      if (own != cudaSuccess) {
        throw device_error(own, std::string("upsweep::distributed: ") + name_ + ": " + cudaGetErrorString(own));
      }
      throw rank_error(r, other + cudaGetErrorString(failure));
    }
  }

  C &ranks_;
  const char *name_;
  std::uint64_t hash_;
};

// Options that concern all ranks are not for the calls of one GPU.
template <class Option>
auto of_one_gpu(const Option &option) {
  return option;
}
template <class T>
auto of_one_gpu(const upsweep::cuda::total_to<T> &) {
  return gpu::NoOption{};
}

template <class... More>
constexpr bool are_options_of_ranks() {
  constexpr bool kHaveNoStream = !(gpu::is_stream<More> || ...);
  static_assert(kHaveNoStream, "upsweep: calls over ranks run on the communicator's stream");
  static_assert(!gpu::has_option<upsweep::cuda::reproducible_t, More...>, "upsweep: calls over GPUs are not reproducible yet");
  return kHaveNoStream;
}

}  // namespace upsweep::distributed::detail
