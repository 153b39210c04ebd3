// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exported functions of the CUDA part: they make the array's device current, find the type's function, and turn errors
// into texts.
#include "cuda_type.h"

#include <cstdio>
#include <type_traits>
#include <vector>

#define UPSWEEP_EXPORT extern "C" __attribute__((visibility("default")))

namespace upsweep::python {

Table &table() {
  static Table all{};
  return all;
}

namespace {

struct Kept {
  int device;
  unsigned long long stream;  // cudaStreamGetId(): no other stream has it, even if a later one gets the same handle
  cuda::workspace space;
};

std::mutex kept_mutex;
std::vector<Kept> kept;
// Programs create any number of streams, so the memory of the oldest is freed.
constexpr std::size_t kMostKept = 64;

// Whether the stream runs all work in the order of the calls, so that they can share a workspace. Captured work runs later and
// perhaps on another stream, and the per-thread streams have one handle.
bool is_in_order(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  return stream != cudaStreamPerThread && cudaStreamIsCapturing(stream, &status) == cudaSuccess &&
         status == cudaStreamCaptureStatusNone;
}

Kept &entry_of(int device, unsigned long long id) {
  for (Kept &each : kept) {
    if (each.device == device && each.stream == id) {
      return each;
    }
  }
  if (kept.size() == kMostKept) {
    cudaFree(kept.front().space.data);  // waits for the work that uses it
    kept.erase(kept.begin());
  }
  return kept.emplace_back(Kept{device, id, {}});
}

}  // namespace

Lease::Lease(int device, cudaStream_t stream, std::size_t bytes) : lock_(kept_mutex) {
  unsigned long long id = 0;
  if (!is_in_order(stream) || cudaStreamGetId(stream, &id) != cudaSuccess) {
    cudaGetLastError();
    return;
  }
  Kept &entry = entry_of(device, id);
  if (entry.space.bytes < bytes) {
    if (entry.space.data != nullptr) {
      cudaFreeAsync(entry.space.data, stream);
    }
    entry.space = {};
    void *data = nullptr;
    const std::size_t wanted = bytes + bytes / 2 + 65536;  // so that growing arrays seldom need a new workspace
    if (cudaMallocAsync(&data, wanted, stream) != cudaSuccess) {
      cudaGetLastError();
      return;
    }
    entry.space.data = data;
    entry.space.bytes = wanted;
    if (cuda::initialise(entry.space, stream) != cudaSuccess) {
      cudaFreeAsync(data, stream);
      entry.space = {};
      return;
    }
  }
  space_ = entry.space;
}

namespace {

constexpr const char *kNone =
    "type: arrays on GPUs do not support this operation for the type; docs/python.md lists the supported types";
const char *text_of(cudaError_t error) {
  static thread_local char text[256];
  if (error == cudaErrorNotSupported) {
    return kNone;
  }
  const char *kind = error == cudaErrorMemoryAllocation ? "memory" : error == cudaErrorInvalidValue ? "value" : "run";
  std::snprintf(text, sizeof(text), "%s: CUDA: %s", kind, cudaGetErrorString(error));
  return text;
}

// Memory on the device of the call.
template <class Call>
const void *read_by(const Call &call) {
  if constexpr (std::is_same_v<Call, Merge>) {
    return call.out;
  } else if constexpr (std::is_same_v<Call, Recurrence>) {
    return call.b;
  } else {
    return call.in;
  }
}

// Calls function(call) with its device current, and then restores the earlier device.
template <class Call, class Function>
const char *on_device(const Call &given, Function function) {
  if (function == nullptr) {
    return "type: arrays on GPUs do not support this operation for the type; docs/python.md lists the supported types";
  }
  Call call = given;
  int current = 0;
  cudaError_t error = cudaGetDevice(&current);
  if (error == cudaSuccess && call.device < 0) {
    cudaPointerAttributes attributes{};
    error = cudaPointerGetAttributes(&attributes, read_by(call));
    call.device = attributes.device;
  }
  if (error == cudaSuccess && call.device != current) {
    error = cudaSetDevice(call.device);
  }
  if (error == cudaSuccess) {
    error = function(call);
  }
  if (call.device != current) {
    cudaSetDevice(current);
  }
  return error == cudaSuccess ? nullptr : text_of(error);
}

bool is_type(std::int32_t type) { return type >= 0 && type < kTypes; }

int type_of(const Scan &of) {
  const auto op = static_cast<Operator>(of.op);
  const bool is_of_unsigned =
      of.type < static_cast<int>(Type::float32) && of.type % 2 == 0 && op != Operator::minimum && op != Operator::maximum;
  return of.type + (is_of_unsigned ? 1 : 0);
}

const char *call_scan(const Scan &of, const ScanCall (&calls)[kTypes][kOperators], const ScanCall (&wide)[kTypes]) {
  if (!is_type(of.type) || of.op < 0 || of.op >= kOperators) {
    return "value: unknown type or operator";
  }
  if (of.is_wide != 0 && of.flags != nullptr) {
    return "type: sums by segments on GPUs have the elements' type; convert the array, or give dtype";
  }
  return on_device(of, of.is_wide != 0 ? wide[of.type] : calls[type_of(of)][of.op]);
}

template <class Call, class Function>
const char *call_of_type(const Call &of, const Function (&calls)[kTypes]) {
  return is_type(of.type) ? on_device(of, calls[of.type]) : "value: unknown type";
}

}  // namespace
}  // namespace upsweep::python

using namespace upsweep::python;  // NOLINT(google-build-using-namespace): of this file's own functions

UPSWEEP_EXPORT std::int32_t upsweep_types() {
  std::int32_t types = 0;
  for (int type = 0; type < kTypes; ++type) {
    types |= table().sort[type] != nullptr ? 1 << type : 0;
  }
  return types;
}

UPSWEEP_EXPORT const char *upsweep_scan(const Scan *of) {
  return call_scan(*of, of->flags != nullptr ? table().scan_segments : table().scan, table().scan_wide);
}
UPSWEEP_EXPORT const char *upsweep_reduce(const Scan *of) { return call_scan(*of, table().reduce, table().reduce_wide); }
UPSWEEP_EXPORT const char *upsweep_linear_recurrence(const Recurrence *of) {
  return of->type >= 0 && of->type < kStates ? on_device(*of, table().linear_recurrence[of->type][of->has_real_factors != 0])
                                             : "value: unknown type of states";
}
UPSWEEP_EXPORT const char *upsweep_select(const Array *of) { return call_of_type(*of, table().select); }
UPSWEEP_EXPORT const char *upsweep_unique(const Array *of) { return call_of_type(*of, table().unique); }
UPSWEEP_EXPORT const char *upsweep_sort(const Array *of) {
  return of->other == nullptr && (of->size == 0 || of->n % of->size != 0) ? "value: the rows exceed the array"
                                                                          : call_of_type(*of, table().sort);
}
UPSWEEP_EXPORT const char *upsweep_ranks(const Ranks *of) {
  return of->first != 0 && of->count != 1 ? "value: several ranks must begin with the first" : call_of_type(*of, table().ranks);
}
UPSWEEP_EXPORT const char *upsweep_merge(const Merge *of) { return call_of_type(*of, table().merge); }
UPSWEEP_EXPORT const char *upsweep_histogram(const Histogram *of) { return call_of_type(*of, table().histogram); }
UPSWEEP_EXPORT const char *upsweep_summed_area(const Image *of) {
  return call_of_type(*of, of->is_wide != 0 ? table().summed_area_wide : table().summed_area);
}
UPSWEEP_EXPORT const char *upsweep_box_filter(const Image *of) { return call_of_type(*of, table().box_filter); }
