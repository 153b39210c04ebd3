// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocking calls on threads with a small stack, which cannot run commands while they wait.
#include "object_fixture.h"
#include <functional>
#include <future>
#include <pthread.h>

namespace upsweep::tests {
namespace {

class SmallStackTest : public ObjectFixture {
protected:
  /// Runs `work` on a thread with a stack of this size; false if it has not ended after a minute.
  static bool ends_on_stack(size_t bytes, std::function<void()> work) {
    struct Task {
      std::function<void()> work;
      std::promise<void> done;
    };
    auto *task = new Task{std::move(work), {}};
    std::future<void> done = task->done.get_future();
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    EXPECT_EQ(pthread_attr_setstacksize(&attributes, bytes), 0);
    pthread_t thread{};
    auto main = [](void *argument) -> void * {
      const std::unique_ptr<Task> own(static_cast<Task *>(argument));
      own->work();
      own->done.set_value();
      return nullptr;
    };
    EXPECT_EQ(pthread_create(&thread, &attributes, main, task), 0);
    pthread_attr_destroy(&attributes);
    pthread_detach(thread);
    return done.wait_for(std::chrono::minutes(1)) == std::future_status::ready;
  }
};

TEST_F(SmallStackTest, GivenAThreadWithLittleStack_WhenItCallsWhatBlocks_ThenTheCallsReturn) {
  constexpr size_t kInts = 1000;
  cl_kernel kernel =
      make_kernel(build("kernel void increment(global int *data) { data[get_global_id(0)] += 1; }"), "increment");
  std::vector<int> values(kInts, 0);
  cl_mem buffer = make_buffer(kInts * sizeof(int), CL_MEM_COPY_HOST_PTR, values.data());
  EXPECT_EQ(set_argument(kernel, 0, buffer), CL_SUCCESS);
  // Around one megabyte, which a thread needs to run commands, and far below it.
  for (size_t kib : {128, 256, 512, 1000, 1024, 1040, 1100, 2048}) {
    ASSERT_TRUE(ends_on_stack(
        kib << 10,
        [&] {
          std::vector<int> ones(kInts, 1);
          EXPECT_EQ(clEnqueueWriteBuffer(in_order_, buffer, CL_TRUE, 0, kInts * sizeof(int), ones.data(), 0, nullptr, nullptr),
                    CL_SUCCESS);
          EXPECT_EQ(clEnqueueNDRangeKernel(in_order_, kernel, 1, nullptr, &kInts, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
          EXPECT_EQ(clFinish(in_order_), CL_SUCCESS);
          EXPECT_EQ(
              clEnqueueReadBuffer(out_of_order_, buffer, CL_TRUE, 0, kInts * sizeof(int), ones.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
          EXPECT_EQ(ones, std::vector<int>(kInts, 2));
          cl_int error = -1;
          void *mapped = clEnqueueMapBuffer(in_order_, buffer, CL_TRUE, CL_MAP_READ, 0, 64, 0, nullptr, nullptr, &error);
          EXPECT_EQ(error, CL_SUCCESS);
          EXPECT_EQ(clEnqueueUnmapMemObject(in_order_, buffer, mapped, 0, nullptr, nullptr), CL_SUCCESS);
          EXPECT_EQ(clFinish(in_order_), CL_SUCCESS);
        }))
        << "with a stack of " << kib << " KiB";
  }
}

}  // namespace
}  // namespace upsweep::tests
