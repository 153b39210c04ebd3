// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handlers of XLA's foreign function interface for CPUs, which upsweep.jax registers. Each calls a function of the CPU part on
// buffers without gaps.
#include "calls.h"

#include <xla/ffi/api/ffi.h>

#include <memory>
#include <new>
#include <optional>
#include <string>

extern "C" {
const char *upsweep_scan(const Scan *of);
const char *upsweep_scan_extremes(const Extremes *of);
const char *upsweep_scan_logarithmic(const Scan *of);
const char *upsweep_linear_recurrence(const Recurrence *of);
const char *upsweep_sort(const Array *of);
const char *upsweep_ranks(const Ranks *of);
}

namespace {

namespace ffi = xla::ffi;
using ffi::AnyBuffer;
using Result = ffi::Result<AnyBuffer>;

// An error of the CPU part, "kind: text", or success.
ffi::Error status_of(const char *message) {
  return message == nullptr ? ffi::Error::Success() : ffi::Error(ffi::ErrorCode::kInvalidArgument, message);
}

ffi::Error refused(const char *what) { return {ffi::ErrorCode::kInvalidArgument, what}; }

std::optional<std::int32_t> type_of(ffi::DataType type) {
  const auto code = [](Type found) { return std::optional(static_cast<std::int32_t>(found)); };
  switch (type) {
  case ffi::DataType::S8: return code(Type::int8);
  case ffi::DataType::U8: return code(Type::uint8);
  case ffi::DataType::S16: return code(Type::int16);
  case ffi::DataType::U16: return code(Type::uint16);
  case ffi::DataType::S32: return code(Type::int32);
  case ffi::DataType::U32: return code(Type::uint32);
  case ffi::DataType::S64: return code(Type::int64);
  case ffi::DataType::U64: return code(Type::uint64);
  case ffi::DataType::F32: return code(Type::float32);
  case ffi::DataType::F64: return code(Type::float64);
  default: return std::nullopt;
  }
}

std::optional<std::int32_t> state_of(ffi::DataType type) {
  const auto code = [](State found) { return std::optional(static_cast<std::int32_t>(found)); };
  switch (type) {
  case ffi::DataType::F32: return code(State::float32);
  case ffi::DataType::F64: return code(State::float64);
  case ffi::DataType::C64: return code(State::complex64);
  case ffi::DataType::C128: return code(State::complex128);
  default: return std::nullopt;
  }
}

struct Places {
  std::uint64_t batches = 1, length = 1, inner = 1;
  std::uint64_t count() const { return batches * length * inner; }
};

// The axis and its neighbours in a buffer without gaps.
std::optional<Places> places_of(const AnyBuffer &x, std::int64_t axis) {
  const auto shape = x.dimensions();
  if (axis < 0 || static_cast<std::size_t>(axis) >= shape.size()) {
    return std::nullopt;
  }
  Places made;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    auto &part = k < static_cast<std::size_t>(axis)   ? made.batches
                 : k > static_cast<std::size_t>(axis) ? made.inner
                                                      : made.length;
    part *= static_cast<std::uint64_t>(shape[k]);
  }
  return made;
}

constexpr const char *kNoAxis = "value: the array has no such axis";
constexpr const char *kNoType = "type: the library lacks the type";

Scan scan_of(const AnyBuffer &x, Result &out, const Places &at, std::int32_t type) {
  Scan of{};
  of.batches = at.batches, of.length = at.length, of.inner = at.inner;
  of.in_batch = of.out_batch = at.length * at.inner;
  of.in_along = of.out_along = at.inner;
  of.in = x.untyped_data(), of.out = out->untyped_data();
  of.type = type, of.device = -1;
  return of;
}

// Calls function(places, type) for an array with elements.
template <class Function>
ffi::Error along(const AnyBuffer &x, std::int64_t axis, const Function &function) {
  const auto at = places_of(x, axis);
  const auto type = type_of(x.element_type());
  if (!at || !type) {
    return refused(at ? kNoType : kNoAxis);
  }
  return at->count() == 0 ? ffi::Error::Success() : function(*at, *type);
}

// Calls function(indices), which returns the text of an error or null, and stores the indices as JAX's 32 bits.
template <class Index, class Function>
ffi::Error with_indices(Result &to, std::uint64_t count, const Function &function) {
  const std::unique_ptr<Index[]> indices(new (std::nothrow) Index[count]);
  if (indices == nullptr) {
    return {ffi::ErrorCode::kResourceExhausted, "memory: not enough memory"};
  }
  const char *message = function(indices.get());
  auto *narrow = static_cast<std::int32_t *>(to->untyped_data());
  for (std::uint64_t i = 0; message == nullptr && i < count; ++i) {
    narrow[i] = static_cast<std::int32_t>(indices[i]);
  }
  return status_of(message);
}

ffi::Error scan(AnyBuffer x, Result out, std::int64_t axis, std::int64_t op, bool exclusive, bool reverse) {
  return along(x, axis, [&](const Places &at, std::int32_t type) {
    Scan of = scan_of(x, out, at, type);
    of.op = static_cast<std::int32_t>(op), of.is_exclusive = exclusive, of.is_backward = reverse;
    return status_of(upsweep_scan(&of));
  });
}

ffi::Error logarithmic(AnyBuffer x, Result out, std::int64_t axis, bool reverse) {
  return along(x, axis, [&](const Places &at, std::int32_t type) {
    Scan of = scan_of(x, out, at, type);
    of.is_backward = reverse;
    return status_of(upsweep_scan_logarithmic(&of));
  });
}

ffi::Error extremes(AnyBuffer x, Result values, Result indices, std::int64_t axis, bool smallest) {
  return along(x, axis, [&](const Places &at, std::int32_t type) {
    return with_indices<std::int64_t>(indices, at.count(), [&](std::int64_t *places) {
      const Extremes of{at.batches, at.length, at.inner, x.untyped_data(), values->untyped_data(), places, type,
                        smallest,   -1,        0,        nullptr};
      return upsweep_scan_extremes(&of);
    });
  });
}

ffi::Error recurrence(AnyBuffer a, AnyBuffer b, AnyBuffer initial, Result states, std::int64_t axis, bool reverse) {
  const auto at = places_of(b, axis);
  const auto factor = state_of(a.element_type()), type = state_of(b.element_type());
  if (!at || !factor || !type) {
    return refused(at ? kNoType : kNoAxis);
  }
  const bool is_real = *factor != *type;
  if ((is_real && *factor + static_cast<int>(State::complex64) != *type) || a.element_count() != b.element_count() ||
      initial.element_type() != b.element_type() || initial.element_count() != at->batches * at->inner) {
    return refused("value: the arrays do not fit each other");
  }
  if (at->count() == 0) {
    return ffi::Error::Success();
  }
  Recurrence of{};
  of.batches = at->batches, of.length = at->length, of.inner = at->inner;
  of.in_batch = of.out_batch = at->length * at->inner;
  of.in_along = of.out_along = at->inner;
  of.a = a.untyped_data(), of.b = b.untyped_data(), of.out = states->untyped_data(), of.initial = initial.untyped_data();
  of.type = *type, of.has_real_factors = is_real, of.is_backward = reverse, of.device = -1;
  return status_of(upsweep_linear_recurrence(&of));
}

// The last axis in order, or its first elements: keys and their indices.
ffi::Error order(AnyBuffer x, Result keys, Result indices, bool descending) {
  return along(x, static_cast<std::int64_t>(x.dimensions().size()) - 1, [&](const Places &at, std::int32_t type) {
    const std::uint64_t count = keys->element_count(), wanted = count / at.batches;
    if (count == 0) {
      return ffi::Error::Success();
    }
    return with_indices<std::uint64_t>(indices, count, [&](std::uint64_t *places) {
      if (wanted == at.length) {
        const Array of{count, x.untyped_data(), keys->untyped_data(), nullptr, places, at.length, type, descending, -1,
                       0,     nullptr};
        return upsweep_sort(&of);
      }
      const Ranks of{at.batches, at.length,  0,  wanted, x.untyped_data(), keys->untyped_data(), places,
                     type,       descending, -1, 0,      nullptr};
      return upsweep_ranks(&of);
    });
  });
}

}  // namespace

#define UPSWEEP_HANDLER(name, function, binding)                                                                               \
  extern "C" __attribute__((visibility("default"))) XLA_FFI_Error *name(XLA_FFI_CallFrame *frame) {                            \
    static auto handler = (binding).To(function).release();                                                                    \
    return handler->Call(frame);                                                                                               \
  }

UPSWEEP_HANDLER(upsweep_jax_scan, scan,
                ffi::Ffi::Bind()
                    .Arg<AnyBuffer>()
                    .Ret<AnyBuffer>()
                    .Attr<std::int64_t>("axis")
                    .Attr<std::int64_t>("op")
                    .Attr<bool>("exclusive")
                    .Attr<bool>("reverse"))
UPSWEEP_HANDLER(upsweep_jax_logarithmic, logarithmic,
                ffi::Ffi::Bind().Arg<AnyBuffer>().Ret<AnyBuffer>().Attr<std::int64_t>("axis").Attr<bool>("reverse"))
UPSWEEP_HANDLER(
    upsweep_jax_extremes, extremes,
    ffi::Ffi::Bind().Arg<AnyBuffer>().Ret<AnyBuffer>().Ret<AnyBuffer>().Attr<std::int64_t>("axis").Attr<bool>("smallest"))
UPSWEEP_HANDLER(
    upsweep_jax_recurrence, recurrence,
    ffi::Ffi::Bind().Arg<AnyBuffer>().Arg<AnyBuffer>().Arg<AnyBuffer>().Ret<AnyBuffer>().Attr<std::int64_t>("axis").Attr<bool>(
        "reverse"))
UPSWEEP_HANDLER(upsweep_jax_order, order,
                ffi::Ffi::Bind().Arg<AnyBuffer>().Ret<AnyBuffer>().Ret<AnyBuffer>().Attr<bool>("descending"))
