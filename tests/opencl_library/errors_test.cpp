// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Wrong arguments, queues of both kinds with events, memory of all kinds, threads, and the absence of leaks.
#include "check.h"

#include <upsweep/opencl/reduce.h>
#include <upsweep/opencl/reduce_by_key.h>
#include <upsweep/opencl/scan.h>
#include <upsweep/opencl/segments.h>
#include <upsweep/opencl/select.h>
#include <upsweep/opencl/sort.h>

#include <atomic>
#include <numeric>
#include <thread>

namespace upsweep::opencl::test {

class OpenclErrors : public OpenclLibrary {};

TEST_F(OpenclErrors, GivenWrongArguments_WhenCalled_ThenErrorsAndNothingWritten) {
  const std::size_t n = 1000;
  Guarded<std::int32_t> in(std::vector<std::int32_t>(n, 1)), out(n), one(1);
  const array x = in.view(), y = out.view();
  EXPECT_EQ(inclusive_sum(x, y, n, cl_command_queue(nullptr)), CL_INVALID_COMMAND_QUEUE);
  EXPECT_EQ(inclusive_sum(buffer<int>(cl_mem(nullptr)), y, n, queue_), CL_INVALID_MEM_OBJECT);
  EXPECT_EQ(inclusive_sum(x, static_cast<int *>(nullptr), n, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(inclusive_sum(x, reinterpret_cast<int *>(0x1001), n, queue_), CL_MISALIGNED_SUB_BUFFER_OFFSET);
  EXPECT_EQ(inclusive_sum(x, y, n + 100, queue_), CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(inclusive_sum(x, buffer<int>(out.memory(), SIZE_MAX), n, queue_), CL_INVALID_BUFFER_SIZE);
  EXPECT_EQ(inclusive_sum(x, y, std::uint64_t(1) << 62, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(inclusive_sum(x, buffer<int>(in.memory(), 1), n, queue_), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(inclusive_sum(x, y, n, queue_, total_to(buffer<int>(out.memory(), 5))), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(inclusive_scan(x, y, n, bit_and{}, queue_, accumulator<float>()), CL_INVALID_VALUE);
  EXPECT_EQ(inclusive_sum(x, y, n, queue_, plan{2, 0, -1, 0, 0}), CL_INVALID_VALUE);
  EXPECT_EQ(inclusive_sum(x, y, n, queue_, plan{0, 400, -1, 0, 0}), CL_INVALID_OPERATION);
  EXPECT_EQ(inclusive_sum(x, y, n, queue_, wait_for{nullptr, 1}), CL_INVALID_EVENT_WAIT_LIST);
  EXPECT_EQ(inclusive_scan_of_rows(x, y, n, 0, plus{}, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(select_by_flag(x, x, y, buffer<float>(one.memory()), n, queue_), CL_INVALID_VALUE);
  EXPECT_EQ(select_by_flag(x, y, y, one.view(), n, queue_), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(reduce_by_key(x, x, y, y, one.view(), n, plus{}, queue_), CL_MEM_COPY_OVERLAP);
  EXPECT_EQ(sort_pairs(x, y, x, y, n, queue_), CL_MEM_COPY_OVERLAP);
  if (!known_.has_half)
    EXPECT_EQ(inclusive_sum(buffer<half>(in.memory()), buffer<half>(out.memory()), n, queue_), CL_INVALID_OPERATION);

  const operation broken("broken", "int broken(int a, int b) { return a +; }");
  EXPECT_NE(inclusive_scan(x, y, n, broken, queue_), CL_SUCCESS);
  EXPECT_NE(std::string(last_message()).find("expected expression"), std::string::npos) << last_message();
  cl_context other = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, nullptr);
  const unique_handle<cl_mem> foreign(clCreateBuffer(other, CL_MEM_READ_WRITE, 4 * n, nullptr, nullptr));
  EXPECT_EQ(inclusive_sum(x, buffer<int>(foreign.get()), n, queue_), CL_INVALID_CONTEXT);
  clReleaseContext(other);
  EXPECT_EQ(inclusive_sum(array(), array(), 0, queue_), CL_INVALID_VALUE);
  EXPECT_TRUE(out.read(0).empty());
}

TEST_F(OpenclErrors, GivenAnOutOfOrderQueueAndEvents_WhenCallsFollow_ThenInOrder) {
  const std::size_t n = 300007;
  cl_int code = CL_SUCCESS;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  const unique_handle<cl_command_queue> queue(
      clCreateCommandQueue(context_, device_, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code));
#pragma GCC diagnostic pop
  if (code != CL_SUCCESS) GTEST_SKIP() << "no queues out of order";
  Guarded<std::int32_t> data(std::vector<std::int32_t>(n, 1));
  const unique_handle<cl_event> start(clCreateUserEvent(context_, &code));
  ASSERT_EQ(code, CL_SUCCESS);
  cl_event first = nullptr, second = nullptr, third = nullptr;
  cl_event waited = start.get();
  EXPECT_CL(inclusive_sum(data.view(), data.view(), n, queue.get(), wait_for{&waited, 1}, signal(&first)));
  EXPECT_CL(inclusive_sum(data.view(), data.view(), 0, queue.get(), wait_for{&first, 1}, signal(&second)));
  EXPECT_CL(sort_keys(data.view(), data.view(), n, queue.get(), wait_for{&second, 1}, signal(&third), descending));
  cl_int status = CL_COMPLETE;
  clGetEventInfo(third, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  EXPECT_NE(status, CL_COMPLETE) << "the call did not wait";
  clSetUserEventStatus(waited, CL_COMPLETE);
  clWaitForEvents(1, &third);
  std::vector<std::int32_t> wanted(n);
  for (std::size_t i = 0; i < n; ++i) wanted[i] = static_cast<std::int32_t>(n - i);
  EXPECT_EQ(data.read(), wanted);
  for (cl_event event : {first, second, third}) clReleaseEvent(event);
}

TEST_F(OpenclErrors, GivenSubBuffersAndSvm_WhenScanned_ThenAsBuffers) {
  const std::size_t n = 5000;
  std::vector<std::int32_t> wanted(n);
  std::iota(wanted.begin(), wanted.end(), 1);
  const cl_uint align = std::max<cl_uint>(8, tests::figure_of<cl_uint>(device_, CL_DEVICE_MEM_BASE_ADDR_ALIGN)) / 8;
  Guarded<std::int32_t> whole(std::vector<std::int32_t>(n + align, 1));
  const cl_buffer_region region = {align * 4, n * 4};
  const unique_handle<cl_mem> part(
      clCreateSubBuffer(whole.memory(), CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr));
  EXPECT_EQ(inclusive_sum(buffer<int>(part.get()), buffer<int>(whole.memory(), align + 1), n - 1, queue_), CL_MEM_COPY_OVERLAP);
  EXPECT_CL(inclusive_sum(buffer<int>(part.get()), buffer<int>(part.get()), n, queue_));
  const auto now = whole.read();
  EXPECT_EQ(std::vector<std::int32_t>(now.begin() + align, now.end()), wanted);
  if (tests::figure_of<cl_device_svm_capabilities>(device_, CL_DEVICE_SVM_CAPABILITIES) == 0) GTEST_SKIP() << "no SVM";
  auto *const svm = static_cast<std::int32_t *>(clSVMAlloc(context_, CL_MEM_READ_WRITE, 2 * n * 4, 0));
  ASSERT_NE(svm, nullptr);
  clEnqueueSVMMap(queue_, CL_TRUE, CL_MAP_WRITE, svm, 2 * n * 4, 0, nullptr, nullptr);
  std::fill(svm, svm + 2 * n, 1);
  clEnqueueSVMUnmap(queue_, svm, 0, nullptr, nullptr);
  EXPECT_EQ(inclusive_sum(svm, svm + 1, n, queue_), CL_MEM_COPY_OVERLAP);
  EXPECT_CL(inclusive_sum(svm, svm + n, n, queue_));
  EXPECT_CL(sort_keys(svm + n, svm + n, n, queue_));
  clEnqueueSVMMap(queue_, CL_TRUE, CL_MAP_READ, svm, 2 * n * 4, 0, nullptr, nullptr);
  EXPECT_EQ(std::vector<std::int32_t>(svm + n, svm + 2 * n), wanted);
  clEnqueueSVMUnmap(queue_, svm, 0, nullptr, nullptr);
  clFinish(queue_);
  clSVMFree(context_, svm);
}

// The copy of an input that the output overwrites is SVM memory, too.
TEST_F(OpenclErrors, GivenSvm_WhenOverwrittenBySelectionsRunsAndSorts_ThenAsBuffers) {
  if (!known_.has_svm) GTEST_SKIP() << "no SVM";
  constexpr std::size_t n = 5003;
  const auto in = random_elements<std::int32_t>(n, 7);
  auto *const svm = static_cast<std::int32_t *>(clSVMAlloc(context_, CL_MEM_READ_WRITE, n * 4, 0));
  ASSERT_NE(svm, nullptr);
  const function is_odd("is_odd", "bool is_odd(int x) { return x & 1; }");
  Guarded<std::uint32_t> kept(1), lengths(n);
  const auto call = [&](const char *what, const auto &make) {
    Guarded<std::int32_t> memory(in);
    clEnqueueSVMMap(queue_, CL_TRUE, CL_MAP_WRITE, svm, n * 4, 0, nullptr, nullptr);
    std::copy(in.begin(), in.end(), svm);
    clEnqueueSVMUnmap(queue_, svm, 0, nullptr, nullptr);
    EXPECT_CL(make(memory.view()));
    EXPECT_CL(make(array(svm)));
    const auto wanted = memory.read();
    clEnqueueSVMMap(queue_, CL_TRUE, CL_MAP_READ, svm, n * 4, 0, nullptr, nullptr);
    EXPECT_EQ(std::vector<std::int32_t>(svm, svm + n), wanted) << what;
    clEnqueueSVMUnmap(queue_, svm, 0, nullptr, nullptr);
  };
  call("select_if", [&](const array &x) { return select_if(x, x, kept.view(), n, is_odd, queue_); });
  call("unique", [&](const array &x) { return unique(x, x, kept.view(), n, queue_); });
  call("runs", [&](const array &x) { return run_length_encode(x, x, lengths.view(), kept.view(), n, queue_); });
  // One digit on CPUs (8 bits) or on GPUs (4 bits): an odd number of passes.
  for (const unsigned bits : {4U, 8U}) {
    call("sort_keys", [&](const array &x) { return sort_keys(x, x, n, queue_, key_bits{0, bits}); });
  }
  clFinish(queue_);
  clSVMFree(context_, svm);
}

TEST_F(OpenclErrors, GivenAWrongPlaceOfTheNumber_WhenCompacted_ThenErrors) {
  const std::size_t n = 100;
  Guarded<std::uint32_t> in(n), out(n), second(n), kept(1);
  const array x = in.view(), y = out.view(), z = second.view(), one = kept.view();
  const auto calls = [&](const count_at &number, cl_int error, const array &also) {
    EXPECT_EQ(select_by_flag(x, x, also, one, number, queue_), error);
    EXPECT_EQ(unique_by_key(x, x, y, z, one, number, queue_), error);
    EXPECT_EQ(reduce_by_key(x, x, y, z, one, number, plus{}, queue_), error);
  };
  calls(count_at(buffer<float>(in.memory()), n), CL_INVALID_VALUE, y);
  calls(count_at(buffer<std::uint32_t>(in.memory(), 1000000), n), CL_INVALID_BUFFER_SIZE, y);
  calls(count_at(buffer<std::uint32_t>(cl_mem(nullptr)), n), CL_INVALID_MEM_OBJECT, y);
  calls(count_at(buffer<std::uint32_t>(out.memory(), 5), n), CL_MEM_COPY_OVERLAP, y);
  calls(count_at(one, n), CL_MEM_COPY_OVERLAP, y);
  calls(count_at(buffer<std::uint32_t>(second.memory(), 5), n), CL_MEM_COPY_OVERLAP, z);
  EXPECT_TRUE(out.read(0).empty());
}

TEST_F(OpenclErrors, GivenManyThreads_WhenTheyCall_ThenEachIsRight) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t n = 1; n < 20000; n = n * 3 + 1) {
        std::vector<std::int32_t> wanted(n);
        std::iota(wanted.begin(), wanted.end(), 1 + t);
        std::vector<std::int32_t> in(n, 1);
        in[0] += t;
        Guarded<std::int32_t> data(in);
        const plan how = t % 2 == 0 ? plan{3, 0, -1, 0, 0} : plan{};
        if (inclusive_sum(data.view(), data.view(), n, queue_, how) != CL_SUCCESS || data.read() != wanted) ++wrong;
      }
    });
  }
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(OpenclErrors, GivenAContextOfItsOwn_WhenProgramsAreReleased_ThenNothingHoldsIt) {
  cl_context context = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, nullptr);
  {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    const unique_handle<cl_command_queue> queue(clCreateCommandQueue(context, device_, 0, nullptr));
#pragma GCC diagnostic pop
    const unique_handle<cl_mem> memory(clCreateBuffer(context, CL_MEM_READ_WRITE, 4000, nullptr, nullptr));
    EXPECT_CL(inclusive_sum(buffer<int>(memory.get()), buffer<int>(memory.get()), 1000, queue.get()));
    clFinish(queue.get());
    release_programs(context);
  }
  cl_uint references = 0;
  clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof references, &references, nullptr);
  EXPECT_EQ(references, 1U);
  clReleaseContext(context);
}

// The memory that is kept for a queue is not used for another queue, even if that gets its handle.
TEST_F(OpenclErrors, GivenQueuesThatComeAndGo_WhenTheyCall_ThenEachIsRight) {
  for (std::size_t round = 0; round < 100; ++round) {
    const std::size_t n = 1 + round * 997 % 60000;
    cl_int code = CL_SUCCESS;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    unique_handle<cl_command_queue> queue(clCreateCommandQueue(context_, device_, 0, &code));
#pragma GCC diagnostic pop
    ASSERT_EQ(code, CL_SUCCESS);
    Guarded<std::int32_t> data(std::vector<std::int32_t>(n, 1)), total(1);
    cl_event done = nullptr;
    EXPECT_CL(inclusive_sum(data.view(), data.view(), n, queue.get()));
    EXPECT_CL(inclusive_sum(data.view(), data.view(), n / 2, queue.get(), backward));
    EXPECT_CL(reduce(data.view(), total.view(), n, maximum{}, 0, queue.get(), signal(&done)));
    queue.reset();
    clWaitForEvents(1, &done);
    clReleaseEvent(done);
    std::vector<std::int32_t> wanted(n);
    std::iota(wanted.begin(), wanted.end(), 1);
    for (std::size_t i = n / 2; i-- > 0;) wanted[i] += i + 1 < n / 2 ? wanted[i + 1] : 0;
    EXPECT_EQ(data.read(), wanted);
    EXPECT_EQ(total.read()[0], *std::max_element(wanted.begin(), wanted.end()));
  }
}

}  // namespace upsweep::opencl::test
