// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of SVM allocations when the host has no memory for an entry. The program's operator new fails once where told.
#include "runtime/memory/address_table.h"
#include "runtime/memory/svm.h"
#include "separate_fixture.h"
#include <cstdlib>
#include <new>
#include <thread>

// The thread sanitizer has an operator new that no program can replace.
#if !__has_feature(thread_sanitizer)
#define FAILS_ONCE
#endif

#ifdef FAILS_ONCE
namespace {

thread_local bool fails_next = false;

}  // namespace

void *operator new(size_t bytes) {
  void *memory = std::exchange(fails_next, false) ? nullptr : std::malloc(bytes ? bytes : 1);
  return memory ? memory : throw std::bad_alloc();
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, size_t) noexcept { std::free(memory); }
#endif

namespace upsweep::tests {
namespace {

using SvmTable = SeparateFixture;

#ifdef FAILS_ONCE
// Freeing may take another mutex that is held across fork(). A thread that holds two of these could deadlock with fork().
TEST_F(SvmTable, GivenNoMemoryForTheEntry_WhenTheAllocationIsFreed_ThenTheTableIsNotLocked) {
  open({kFirst});
  const Context &context = **Context::from(context_);
  bool is_released = false;
  devices().first->during_release = [&] {
    is_released = true;
    std::thread([&] { static_cast<void>(find_svm(context, nullptr)); }).join();  // hangs where the table is locked
  };
  // Entries take memory in pieces, for several at a time.
  bool has_thrown = false;
  for (int i = 0; i < 1000 && !has_thrown; ++i) {
    fails_next = true;
    try {
      static_cast<void>(allocate_svm(context, SvmType::kCoarse, 4096, 4096));
    } catch (const std::bad_alloc &) {
      has_thrown = true;
    }
    fails_next = false;
  }
  EXPECT_TRUE(has_thrown) << "entries take memory";
  EXPECT_TRUE(is_released) << "the allocation leaks";
  devices().first->during_release = nullptr;
}
#endif

TEST_F(SvmTable, GivenAnAllocation_WhenFreed_ThenTheTableForgetsIt) {
  open({kFirst});
  const Context &context = **Context::from(context_);
  char *memory = static_cast<char *>(allocate_svm(context, SvmType::kCoarse, 8192, 4096));
  const std::optional<Allocation> found = find_svm(context, memory + 8191);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->base, memory);
  EXPECT_EQ(found->bytes, 8192u);
  EXPECT_GE(address_table().largest(), 8192u);
  free_svm(context, memory);
  EXPECT_FALSE(find_svm(context, memory));
  EXPECT_EQ(address_table().largest(), 0u);
}

TEST_F(SvmTable, GivenAnAllocation_WhenItsContextEnds_ThenItIsFreed) {
  open({kFirst});
  static_cast<void>(allocate_svm(**Context::from(context_), SvmType::kCoarse, 8192, 4096));
  bool is_released = false;
  devices().first->during_release = [&] { is_released = true; };
  close();
  devices().first->during_release = nullptr;
  EXPECT_TRUE(is_released);
  EXPECT_EQ(address_table().largest(), 0u);
}

}  // namespace
}  // namespace upsweep::tests
