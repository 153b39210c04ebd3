// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exported functions of the CPU part: find the type's function, call it with the process's threads, and make texts of
// exceptions.
#include "cpu_type.h"
#include "expression.h"

#include <atomic>
#include <new>
#include <stdexcept>
#include <string>

#include <pthread.h>

#define UPSWEEP_EXPORT extern "C" __attribute__((visibility("default")))

namespace upsweep::python {

#define UPSWEEP_TYPE_HERE(name)                                                                                                \
  template <>                                                                                                                  \
  const Calls &calls_of<Type::name>();
#include "types.inc"
#undef UPSWEEP_TYPE_HERE

namespace {

const Calls *calls_for(std::int32_t type) {
#define UPSWEEP_TYPE_HERE(name)                                                                                                \
  if (static_cast<Type>(type) == Type::name) {                                                                                 \
    return &calls_of<Type::name>();                                                                                            \
  }
#include "types.inc"
#undef UPSWEEP_TYPE_HERE
  throw std::domain_error("this build of upsweep has no such type");
}

// A process that was forked has none of its parent's threads, and perhaps a pool that another thread was using: it gets a new
// one. The old one is left alone, since its threads are not there to be joined.
std::atomic<thread_pool *> current_pool{nullptr};

thread_pool &pool() {
  thread_pool *found = current_pool.load(std::memory_order_acquire);
  if (found == nullptr) {
    static const int registered =
        pthread_atfork(nullptr, nullptr, [] { current_pool.store(nullptr, std::memory_order_release); });
    (void)registered;
    auto *made = new thread_pool;
    if (current_pool.compare_exchange_strong(found, made)) {
      return *made;
    }
    delete made;
  }
  return *found;
}

template <class Function>
const char *guarded(const Function &function) {
  thread_local std::string text;
  try {
    function();
    return nullptr;
  } catch (const std::bad_alloc &) {
    text = "memory: not enough memory";
  } catch (const DivisionByZero &) {
    text = "zero: a division by zero in the expression";
  } catch (const std::invalid_argument &error) {
    text = std::string("value: ") + error.what();
  } catch (const std::domain_error &error) {
    text = std::string("type: ") + error.what();
  } catch (const std::exception &error) {
    text = std::string("run: ") + error.what();
  }
  return text.c_str();
}

template <class Function>
Function require(Function function) {
  if (function == nullptr) {
    throw std::domain_error("the type does not have this operator");
  }
  return function;
}

// Integers of the same size with the wrapping operators: those without a sign, whose place in Type follows.
bool is_of_unsigned(const Scan &of) {
  const auto op = static_cast<Operator>(of.op);
  return of.type < static_cast<int>(Type::float32) && of.type % 2 == 0 && op != Operator::minimum && op != Operator::maximum;
}

void require_operator(const Scan &of) {
  if (of.op < 0 || of.op >= kOperators) {
    throw std::invalid_argument("there is no such operator");
  }
}

}  // namespace
}  // namespace upsweep::python

using namespace upsweep::python;  // NOLINT(google-build-using-namespace): of this file's own functions

UPSWEEP_EXPORT std::int32_t upsweep_types() {
  std::int32_t types = 0;
#define UPSWEEP_TYPE_HERE(name) types |= 1 << static_cast<int>(Type::name);
#include "types.inc"
#undef UPSWEEP_TYPE_HERE
  return types;
}

UPSWEEP_EXPORT const char *upsweep_scan(const Scan *of) {
  return guarded([&] {
    require_operator(*of);
    if (of->is_wide != 0) {
      require(calls_for(of->type)->scan_wide)(*of, pool());
    } else {
      require(calls_for(of->type + (is_of_unsigned(*of) ? 1 : 0))->scan[of->op])(*of, pool());
    }
  });
}

UPSWEEP_EXPORT const char *upsweep_reduce(const Scan *of) {
  return guarded([&] {
    require_operator(*of);
    if (of->is_wide != 0) {
      require(calls_for(of->type)->reduce_wide)(*of, pool());
    } else {
      require(calls_for(of->type + (is_of_unsigned(*of) ? 1 : 0))->reduce[of->op])(*of, pool());
    }
  });
}

UPSWEEP_EXPORT const char *upsweep_scan_by(const Scan *of, const Expression *expression) {
  return guarded([&] { calls_for(of->type)->scan_by(*of, *expression, pool()); });
}

UPSWEEP_EXPORT const char *upsweep_reduce_by(const Scan *of, const Expression *expression) {
  return guarded([&] { calls_for(of->type)->reduce_by(*of, *expression, pool()); });
}

UPSWEEP_EXPORT const char *upsweep_select(const Array *of) {
  return guarded([&] { calls_for(of->type)->select(*of, pool()); });
}

UPSWEEP_EXPORT const char *upsweep_unique(const Array *of) {
  return guarded([&] { calls_for(of->type)->unique(*of, pool()); });
}

UPSWEEP_EXPORT const char *upsweep_sort(const Array *of) {
  return guarded([&] {
    if (of->other == nullptr && (of->size == 0 || of->n % of->size != 0)) {
      throw std::invalid_argument("rows that the array does not have");
    }
    calls_for(of->type)->sort(*of, pool());
  });
}

UPSWEEP_EXPORT const char *upsweep_ranks(const Ranks *of) {
  return guarded([&] {
    if (of->first != 0 && of->count != 1) {
      throw std::invalid_argument("several places of a sort begin with the first one");
    }
    calls_for(of->type)->ranks(*of, pool());
  });
}

UPSWEEP_EXPORT const char *upsweep_merge(const Merge *of) {
  return guarded([&] { calls_for(of->type)->merge(*of, pool()); });
}

UPSWEEP_EXPORT const char *upsweep_histogram(const Array *of) {
  return guarded([&] { calls_for(of->type)->histogram(*of, pool()); });
}

UPSWEEP_EXPORT const char *upsweep_summed_area(const Image *of) {
  return guarded([&] { calls_for(of->type)->summed_area(*of, pool()); });
}

UPSWEEP_EXPORT const char *upsweep_box_filter(const Image *of) {
  return guarded([&] { calls_for(of->type)->box_filter(*of, pool()); });
}
