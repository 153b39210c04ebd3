// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_command_buffer_mutable_dispatch: updates of kernels' arguments and sizes between and during runs.
#include "command_buffer_fixture.h"
#include <random>

namespace upsweep::tests {
namespace {

constexpr const char *kSource = R"(
  kernel void put(global uint *to, uint value) { to[get_global_id(0)] = value + (uint)get_local_size(0) * 1000; }
)";

class MutableDispatchTest : public CommandBufferFixture {
protected:
  void SetUp() override {
    CommandBufferFixture::SetUp();
    program_ = build(kSource);
    to_ = make_values(Values(kItems));
    kernel_ = make_kernel(program_, "put");
    set_argument(kernel_, 0, to_);
    set_argument(kernel_, 1, cl_uint{5});
    buffer_ = create(in_order_, CL_COMMAND_BUFFER_MUTABLE_KHR | CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
  }
  void TearDown() override {
    release(buffer_);
    CommandBufferFixture::TearDown();
  }
  cl_mutable_command_khr record_put(size_t items = 16, size_t local = 8,
                                    const cl_command_properties_khr *properties = nullptr) {
    cl_mutable_command_khr handle = nullptr;
    EXPECT_EQ(cl_.clCommandNDRangeKernelKHR(buffer_, nullptr, properties, kernel_, 1, nullptr, &items, local ? &local : nullptr,
                                            0, nullptr, nullptr, &handle),
              CL_SUCCESS);
    EXPECT_NE(handle, nullptr);
    return handle;
  }
  cl_int update(const std::vector<MutableDispatchConfig> &configs) {
    std::vector<const void *> pointers;
    for (const MutableDispatchConfig &config : configs) pointers.push_back(&config);
    const std::vector<cl_command_buffer_update_type_khr> types(configs.size(), kMutableDispatchUpdate);
    return cl_.clUpdateMutableCommandsKHR(buffer_, static_cast<cl_uint>(configs.size()), types.data(), pointers.data());
  }
  static MutableDispatchConfig arguments(cl_mutable_command_khr command, const std::vector<MutableDispatchArgument> &list) {
    return {.command = command, .num_args = static_cast<cl_uint>(list.size()), .arg_list = list.data()};
  }
  Values result(size_t first, size_t count, uint32_t value, Values before = Values(kItems)) {
    std::fill_n(before.begin() + static_cast<ptrdiff_t>(first), count, value);
    return before;
  }

  cl_program program_ = nullptr;
  cl_mem to_ = nullptr;
  cl_kernel kernel_ = nullptr;
  cl_command_buffer_khr buffer_ = nullptr;
};

TEST_F(MutableDispatchTest, GivenARecordedKernel_WhenAsked_ThenTheQueriesTellIt) {
  const cl_command_properties_khr properties[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR,
                                                  0};
  cl_mutable_command_khr command = record_put(16, 8, properties), plain = record_put(16, 0);
  const auto info = cl_.clGetMutableCommandInfoKHR;
  EXPECT_EQ(value_of<cl_command_queue>(info, command, CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR), in_order_);
  EXPECT_EQ(value_of<cl_command_buffer_khr>(info, command, CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR), buffer_);
  EXPECT_EQ(value_of<cl_command_type>(info, command, CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR),
            static_cast<cl_command_type>(CL_COMMAND_NDRANGE_KERNEL));
  EXPECT_EQ(value_of<cl_kernel>(info, command, CL_MUTABLE_DISPATCH_KERNEL_KHR), kernel_);
  EXPECT_EQ(value_of<cl_uint>(info, command, CL_MUTABLE_DISPATCH_DIMENSIONS_KHR), 1u);
  EXPECT_EQ(value_of<size_t>(info, command, CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR), 0u);
  EXPECT_EQ(value_of<size_t>(info, command, CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR), 16u);
  EXPECT_EQ(value_of<size_t>(info, command, CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR), 8u);
  EXPECT_EQ(value_of<size_t>(info, plain, CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR), 0u);
  cl_command_properties_khr kept[3] = {9, 9, 9};
  size_t bytes = 0;
  EXPECT_EQ(info(command, CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR, sizeof kept, kept, &bytes), CL_SUCCESS);
  EXPECT_EQ(bytes, sizeof kept);
  EXPECT_TRUE(std::equal(std::begin(kept), std::end(kept), properties));
  EXPECT_EQ(info(plain, CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR, 0, nullptr, &bytes), CL_SUCCESS);
  EXPECT_EQ(bytes, 0u);
  EXPECT_EQ(info(command, CL_COMMAND_BUFFER_STATE_KHR, 0, nullptr, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(info(reinterpret_cast<cl_mutable_command_khr>(kernel_), CL_MUTABLE_DISPATCH_KERNEL_KHR, 0, nullptr, nullptr),
            CL_INVALID_MUTABLE_COMMAND_KHR);
}

TEST_F(MutableDispatchTest, GivenUpdates_WhenRun_ThenArgumentsAndSizesAreNew) {
  cl_mutable_command_khr command = record_put();
  finalize(buffer_);
  enqueue(buffer_);
  Values expected = result(0, 16, 8005);
  EXPECT_EQ(values_of(to_), expected);
  const cl_uint value = 6;
  const std::vector<MutableDispatchArgument> list = {{1, sizeof value, &value}};
  EXPECT_EQ(update({arguments(command, list)}), CL_SUCCESS);
  enqueue(buffer_);
  EXPECT_EQ(values_of(to_), expected = result(0, 16, 8006, expected));
  const size_t offset = 100, global = 32, local = 4;
  EXPECT_EQ(update({{.command = command,
                     .work_dim = 1,
                     .global_work_offset = &offset,
                     .global_work_size = &global,
                     .local_work_size = &local}}),
            CL_SUCCESS);
  EXPECT_EQ(value_of<size_t>(cl_.clGetMutableCommandInfoKHR, command, CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR), offset);
  EXPECT_EQ(value_of<size_t>(cl_.clGetMutableCommandInfoKHR, command, CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR), global);
  EXPECT_EQ(value_of<size_t>(cl_.clGetMutableCommandInfoKHR, command, CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR), local);
  enqueue(buffer_);
  EXPECT_EQ(values_of(to_), expected = result(offset, global, 4006, expected));
  // The kernel object keeps its arguments.
  run(kernel_, 8, 8);
  EXPECT_EQ(values_of(to_), result(0, 8, 8005, expected));
}

TEST_F(MutableDispatchTest, GivenPendingEnqueues_WhenUpdated_ThenEachRunHasItsOwnArguments) {
  constexpr uint32_t kRounds = 50;
  cl_mutable_command_khr first = record_put(1, 1), second = record_put(1, 1);
  finalize(buffer_);
  cl_event gate = make_user_event();
  for (uint32_t i = 0; i < kRounds; ++i) {
    const size_t at = 2 * i, behind = 2 * i + 1;
    const cl_uint value = i, other = i + 500;
    const std::vector<MutableDispatchArgument> list = {{1, sizeof value, &value}}, other_list = {{1, sizeof other, &other}};
    MutableDispatchConfig config = arguments(first, list), other_config = arguments(second, other_list);
    config.global_work_offset = &at;
    other_config.global_work_offset = &behind;
    EXPECT_EQ(update({config, other_config}), CL_SUCCESS);
    EXPECT_EQ(cl_.clEnqueueCommandBufferKHR(1, &out_of_order_, buffer_, 1, &gate, nullptr), CL_SUCCESS);
  }
  EXPECT_EQ(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
  EXPECT_EQ(clFinish(out_of_order_), CL_SUCCESS);
  Values expected(kItems);
  for (uint32_t i = 0; i < kRounds; ++i) {
    expected[2 * i] = 1000 + i;
    expected[2 * i + 1] = 1500 + i;
  }
  EXPECT_EQ(values_of(to_), expected);
  EXPECT_EQ(clReleaseEvent(gate), CL_SUCCESS);
}

TEST_F(MutableDispatchTest, GivenBufferAndSvmArguments_WhenUpdated_ThenTheKernelWritesThere) {
  cl_mutable_command_khr command = record_put();
  finalize(buffer_);
  cl_mem other = make_values(Values(kItems));
  const std::vector<MutableDispatchArgument> list = {{0, sizeof other, &other}};
  EXPECT_EQ(update({arguments(command, list)}), CL_SUCCESS);
  enqueue(buffer_);
  EXPECT_EQ(values_of(other), result(0, 16, 8005));
  EXPECT_EQ(values_of(to_), Values(kItems));
  if (!(figure_of<cl_device_svm_capabilities>(device_, CL_DEVICE_SVM_CAPABILITIES) & CL_DEVICE_SVM_FINE_GRAIN_BUFFER)) return;
  auto *svm = static_cast<uint32_t *>(
      clSVMAlloc(context_, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, kItems * sizeof(uint32_t), 0));
  std::fill_n(svm, kItems, 0u);
  const std::vector<MutableDispatchArgument> pointer = {{0, 0, svm}};
  EXPECT_EQ(update({{.command = command, .num_svm_args = 1, .arg_svm_list = pointer.data()}}), CL_SUCCESS);
  enqueue(buffer_);
  EXPECT_EQ(clFinish(in_order_), CL_SUCCESS);
  EXPECT_EQ(Values(svm, svm + kItems), result(0, 16, 8005));
  clSVMFree(context_, svm);
}

TEST_F(MutableDispatchTest, GivenUnsetArguments_WhenFinalized_ThenTheBufferIsExecutableOnceTheyAreSet) {
  kernel_ = make_kernel(program_, "put");
  const cl_command_properties_khr properties[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, CL_MUTABLE_DISPATCH_ARGUMENTS_KHR,
                                                  0};
  cl_mutable_command_khr command = record_put(16, 8, properties);
  finalize(buffer_);
  EXPECT_EQ(state(buffer_), static_cast<cl_uint>(CL_COMMAND_BUFFER_STATE_FINALIZED_KHR));
  EXPECT_EQ(cl_.clEnqueueCommandBufferKHR(0, nullptr, buffer_, 0, nullptr, nullptr), CL_INVALID_OPERATION);
  const cl_uint value = 9;
  const std::vector<MutableDispatchArgument> number = {{1, sizeof value, &value}}, memory = {{0, sizeof to_, &to_}};
  EXPECT_EQ(update({arguments(command, number)}), CL_SUCCESS);
  EXPECT_EQ(state(buffer_), static_cast<cl_uint>(CL_COMMAND_BUFFER_STATE_FINALIZED_KHR));
  EXPECT_EQ(update({arguments(command, memory)}), CL_SUCCESS);
  EXPECT_EQ(state(buffer_), static_cast<cl_uint>(CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR));
  enqueue(buffer_);
  EXPECT_EQ(values_of(to_), result(0, 16, 8009));
}

TEST_F(MutableDispatchTest, GivenOneBadConfig_WhenUpdated_ThenNoneTakesEffect) {
  cl_mutable_command_khr first = record_put(16, 8), second = record_put(8, 8);
  finalize(buffer_);
  const cl_uint value = 6;
  const std::vector<MutableDispatchArgument> good = {{1, sizeof value, &value}}, bad = {{1, 3, &value}}, far = {{7, 4, &value}};
  EXPECT_EQ(update({arguments(first, good), arguments(second, bad)}), CL_INVALID_ARG_SIZE);
  EXPECT_EQ(update({arguments(first, good), arguments(second, far)}), CL_INVALID_ARG_INDEX);
  enqueue(buffer_);
  EXPECT_EQ(values_of(to_), result(0, 16, 8005));
  // Two configs of one command add up.
  const size_t offset = 32;
  EXPECT_EQ(update({arguments(first, good), {.command = first, .global_work_offset = &offset}}), CL_SUCCESS);
  enqueue(buffer_);
  EXPECT_EQ(values_of(to_), result(32, 16, 8006, result(0, 16, 8005)));
}

TEST_F(MutableDispatchTest, GivenBadArguments_WhenUpdated_ThenTheErrorSaysSo) {
  const cl_command_properties_khr none[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 0, 0};
  cl_mutable_command_khr command = record_put(), fixed = record_put(16, 8, none);
  const size_t size = 16, odd = 12, far = size_t{1} << 30;
  const cl_uint value = 6;
  const std::vector<MutableDispatchArgument> list = {{1, sizeof value, &value}};
  EXPECT_EQ(update({arguments(command, list)}), CL_INVALID_OPERATION) << "still recording";
  finalize(buffer_);
  EXPECT_EQ(update({arguments(fixed, list)}), CL_INVALID_OPERATION);
  EXPECT_EQ(update({{.command = fixed, .global_work_offset = &size}}), CL_INVALID_OPERATION);
  EXPECT_EQ(update({{.command = fixed, .global_work_size = &size}}), CL_INVALID_OPERATION);
  EXPECT_EQ(update({{.command = fixed, .local_work_size = &size}}), CL_INVALID_OPERATION);
  EXPECT_EQ(update({{.command = command, .work_dim = 2}}), CL_INVALID_OPERATION);
  EXPECT_EQ(update({{.command = command, .global_work_size = &odd}}), CL_INVALID_OPERATION) << "no longer uniform";
  EXPECT_EQ(update({{.command = command, .local_work_size = &far}}), CL_INVALID_WORK_ITEM_SIZE);
  EXPECT_EQ(update({{.command = command, .num_args = 1}}), CL_INVALID_VALUE);
  EXPECT_EQ(update({{.command = command, .arg_list = list.data()}}), CL_INVALID_VALUE);
  EXPECT_EQ(update({{.command = command, .num_svm_args = 1}}), CL_INVALID_VALUE);
  EXPECT_EQ(update({{.command = command, .num_exec_infos = 1}}), CL_INVALID_VALUE);
  EXPECT_EQ(update({{.command = reinterpret_cast<cl_mutable_command_khr>(kernel_)}}), CL_INVALID_MUTABLE_COMMAND_KHR);
  const MutableDispatchConfig config{.command = command};
  const void *configs[] = {&config}, *no_config[] = {nullptr};
  const cl_command_buffer_update_type_khr type = kMutableDispatchUpdate, unknown = 99;
  const auto call = cl_.clUpdateMutableCommandsKHR;
  EXPECT_EQ(call(buffer_, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(call(buffer_, 1, &type, configs), CL_SUCCESS);
  EXPECT_EQ(call(buffer_, 1, nullptr, configs), CL_INVALID_VALUE);
  EXPECT_EQ(call(buffer_, 1, &type, nullptr), CL_INVALID_VALUE);
  EXPECT_EQ(call(buffer_, 0, &type, configs), CL_INVALID_VALUE);
  EXPECT_EQ(call(buffer_, 1, &unknown, configs), CL_INVALID_VALUE);
  EXPECT_EQ(call(buffer_, 1, &type, no_config), CL_INVALID_VALUE);
  EXPECT_EQ(call(nullptr, 1, &type, configs), CL_INVALID_COMMAND_BUFFER_KHR);
  cl_command_buffer_khr other = create(in_order_);
  finalize(other);
  EXPECT_EQ(call(other, 1, &type, configs), CL_INVALID_OPERATION) << "not mutable";
  release(other);
  other = create(in_order_, CL_COMMAND_BUFFER_MUTABLE_KHR);
  finalize(other);
  EXPECT_EQ(call(other, 1, &type, configs), CL_INVALID_MUTABLE_COMMAND_KHR);
  release(other);
  EXPECT_EQ(values_of(to_), Values(kItems));
}

TEST_F(MutableDispatchTest, GivenRandomUpdates_WhenRun_ThenResultsAreTheModels) {
  constexpr size_t kCommands = 20;
  std::mt19937 random(5);
  std::vector<cl_mem> targets = {to_, make_values(Values(kItems)), make_values(Values(kItems))};
  struct Model {
    cl_mutable_command_khr command;
    size_t target = 0, offset = 0, global = 16, local = 8;
    cl_uint value = 5;
  };
  std::vector<Model> models;
  for (size_t i = 0; i < kCommands; ++i) models.push_back({record_put()});
  finalize(buffer_);
  std::vector<Values> expected(targets.size(), Values(kItems));
  for (int round = 0; round < 30; ++round) {
    for (size_t changes = random() % 5; changes > 0; --changes) {
      Model &model = models[random() % kCommands];
      model.target = random() % targets.size();
      model.offset = random() % 64;
      model.local = size_t{1} << random() % 5;
      model.global = model.local * (1 + random() % 8);
      model.value = random();
      const std::vector<MutableDispatchArgument> list = {{0, sizeof(cl_mem), &targets[model.target]},
                                                         {1, sizeof(cl_uint), &model.value}};
      MutableDispatchConfig config = arguments(model.command, list);
      config.global_work_offset = &model.offset;
      config.global_work_size = &model.global;
      config.local_work_size = &model.local;
      EXPECT_EQ(update({config}), CL_SUCCESS);
    }
    enqueue(buffer_);
    for (const Model &model : models)
      for (size_t i = 0; i < model.global; ++i)
        expected[model.target][model.offset + i] = model.value + static_cast<uint32_t>(model.local) * 1000;
  }
  for (size_t i = 0; i < targets.size(); ++i) EXPECT_EQ(values_of(targets[i]), expected[i]) << i;
}

}  // namespace
}  // namespace upsweep::tests
