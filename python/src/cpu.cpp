// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The exported functions of the CPU part: they find the type's function, call it with the process's threads, and turn
// exceptions into texts.
#include "compensated.h"
#include "cpu_type.h"
#include "expression.h"
#include "extremes.h"
#include "logarithmic.h"
#include "recurrence.h"

#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

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
  throw std::domain_error("this build of upsweep does not support the type");
}

// The threads of calls. A call holds a reference to its pool, so that the number of threads can be changed while it runs.
class CurrentPool {
public:
  std::shared_ptr<thread_pool> get() {
    const std::lock_guard lock(mutex_);
    if (!pool_) {
      // A forked process has none of its parent's threads, and perhaps a pool that another thread was using, so it gets a new
      // pool. The old one is not destroyed, since its threads cannot be joined.
      static const int registered = pthread_atfork([] { current().mutex_.lock(); }, [] { current().mutex_.unlock(); },
                                                   [] {
                                                     new std::shared_ptr<thread_pool>(std::move(current().pool_));
                                                     current().mutex_.unlock();
                                                   });
      (void)registered;
      pool_ = threads_ == 0 ? std::make_shared<thread_pool>() : std::make_shared<thread_pool>(threads_);
    }
    return pool_;
  }
  void set_threads(std::uint32_t threads) {
    if (threads > kMostThreads) {
      throw std::invalid_argument("the number of threads must be 1 to 4096");
    }
    std::shared_ptr<thread_pool> old;  // joined without the lock
    const std::lock_guard lock(mutex_);
    threads_ = threads;
    old.swap(pool_);
  }
  static CurrentPool &current() {
    static auto *pool = new CurrentPool;  // never destroyed, since threads of the process may use it until the end
    return *pool;
  }

private:
  static constexpr std::uint32_t kMostThreads = 4096;
  std::mutex mutex_;
  std::shared_ptr<thread_pool> pool_;
  std::uint32_t threads_ = 0;  // 0: one for each processor
};

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

// Calls function(pool) with the current pool. Null, or the text of the error.
template <class Function>
const char *with_pool(const Function &function) {
  return guarded([&] {
    const auto pool = CurrentPool::current().get();
    function(*pool);
  });
}

template <class Function>
Function require(Function function) {
  if (function == nullptr) {
    throw std::domain_error("the type does not support this operator");
  }
  return function;
}

// Integers are replaced by the unsigned type of the same size, which follows in Type, with the wrapping operators.
bool is_of_unsigned(const Scan &of) {
  const auto op = static_cast<Operator>(of.op);
  return of.type < static_cast<int>(Type::float32) && of.type % 2 == 0 && op != Operator::minimum && op != Operator::maximum;
}

void require_operator(const Scan &of) {
  if (of.op < 0 || of.op >= kOperators) {
    throw std::invalid_argument("unknown operator");
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

UPSWEEP_EXPORT const char *upsweep_set_threads(std::uint32_t threads) {
  return guarded([&] { CurrentPool::current().set_threads(threads); });
}

UPSWEEP_EXPORT std::uint32_t upsweep_threads() {
  return static_cast<std::uint32_t>(CurrentPool::current().get()->concurrency());
}

UPSWEEP_EXPORT const char *upsweep_scan(const Scan *of) {
  return with_pool([&](thread_pool &pool) {
    require_operator(*of);
    if (of->is_wide != 0) {
      require(calls_for(of->type)->scan_wide)(*of, pool);
    } else {
      require(calls_for(of->type + (is_of_unsigned(*of) ? 1 : 0))->scan[of->op])(*of, pool);
    }
  });
}

UPSWEEP_EXPORT const char *upsweep_reduce(const Scan *of) {
  return with_pool([&](thread_pool &pool) {
    require_operator(*of);
    if (of->is_wide != 0) {
      require(calls_for(of->type)->reduce_wide)(*of, pool);
    } else {
      require(calls_for(of->type + (is_of_unsigned(*of) ? 1 : 0))->reduce[of->op])(*of, pool);
    }
  });
}

UPSWEEP_EXPORT const char *upsweep_scan_by(const Scan *of, const Expression *expression) {
  return with_pool([&](thread_pool &pool) { calls_for(of->type)->scan_by(*of, *expression, pool); });
}

UPSWEEP_EXPORT const char *upsweep_reduce_by(const Scan *of, const Expression *expression) {
  return with_pool([&](thread_pool &pool) { calls_for(of->type)->reduce_by(*of, *expression, pool); });
}

UPSWEEP_EXPORT const char *upsweep_scan_compensated(const Scan *of) {
  return with_pool([&](thread_pool &pool) { scan_compensated(*of, pool); });
}

UPSWEEP_EXPORT const char *upsweep_reduce_compensated(const Scan *of) {
  return with_pool([&](thread_pool &pool) { reduce_compensated(*of, pool); });
}

UPSWEEP_EXPORT const char *upsweep_scan_logarithmic(const Scan *of) {
  return with_pool([&](thread_pool &pool) { scan_logarithmic(*of, pool); });
}

UPSWEEP_EXPORT const char *upsweep_scan_extremes(const Extremes *of) {
  return with_pool([&](thread_pool &pool) { scan_extremes(*of, pool); });
}

UPSWEEP_EXPORT const char *upsweep_linear_recurrence(const Recurrence *of) {
  return with_pool([&](thread_pool &pool) { linear_recurrence(*of, pool); });
}

UPSWEEP_EXPORT const char *upsweep_select(const Array *of) {
  return with_pool([&](thread_pool &pool) { calls_for(of->type)->select(*of, pool); });
}

UPSWEEP_EXPORT const char *upsweep_unique(const Array *of) {
  return with_pool([&](thread_pool &pool) { calls_for(of->type)->unique(*of, pool); });
}

UPSWEEP_EXPORT const char *upsweep_sort(const Array *of) {
  return with_pool([&](thread_pool &pool) {
    if (of->other == nullptr && (of->size == 0 || of->n % of->size != 0)) {
      throw std::invalid_argument("the rows exceed the array");
    }
    calls_for(of->type)->sort(*of, pool);
  });
}

UPSWEEP_EXPORT const char *upsweep_ranks(const Ranks *of) {
  return with_pool([&](thread_pool &pool) {
    if (of->first != 0 && of->count != 1) {
      throw std::invalid_argument("several ranks must begin with the first");
    }
    calls_for(of->type)->ranks(*of, pool);
  });
}

UPSWEEP_EXPORT const char *upsweep_merge(const Merge *of) {
  return with_pool([&](thread_pool &pool) { calls_for(of->type)->merge(*of, pool); });
}

UPSWEEP_EXPORT const char *upsweep_histogram(const Histogram *of) {
  return with_pool([&](thread_pool &pool) { calls_for(of->type)->histogram(*of, pool); });
}

UPSWEEP_EXPORT const char *upsweep_summed_area(const Image *of) {
  return with_pool([&](thread_pool &pool) { calls_for(of->type)->summed_area(*of, pool); });
}

UPSWEEP_EXPORT const char *upsweep_box_filter(const Image *of) {
  return with_pool([&](thread_pool &pool) { calls_for(of->type)->box_filter(*of, pool); });
}
