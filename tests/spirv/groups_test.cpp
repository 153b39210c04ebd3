// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Built-in variables, atomic instructions, and instructions of work-groups and sub-groups.
#include "fixture.h"

#include <algorithm>
#include <functional>
#include <map>

namespace upsweep::tests {
namespace {

using Storage = spv::StorageClass;
using spv::BuiltIn;

constexpr uint32_t kWorkgroup = 2, kSubgroup = 3;
enum : uint32_t { kReduce, kInclusive, kExclusive };

class GroupTest : public SpirvTest {
protected:
  void run_range(cl_kernel kernel, const std::array<size_t, 3> &offset, const std::array<size_t, 3> &global,
                 const std::array<size_t, 3> &local) {
    ASSERT_EQ(clEnqueueNDRangeKernel(queue_, kernel, 3, offset.data(), global.data(), local.data(), 0, nullptr, nullptr),
              CL_SUCCESS);
  }
  bool has_sub_groups() const { return figure_of<cl_uint>(device_, CL_DEVICE_MAX_NUM_SUB_GROUPS) != 0; }
};

// Each variable's components, for each work-item of a range of three dimensions with offsets.
TEST_F(GroupTest, GivenARange_WhenBuiltInVariablesAreRead_ThenTheyFitTheRange) {
  const std::array<size_t, 3> global{12, 6, 4}, local{4, 3, 2}, offset{100, 20, 3};
  const BuiltIn vectors[] = {BuiltIn::NumWorkgroups, BuiltIn::WorkgroupSize,     BuiltIn::EnqueuedWorkgroupSize,
                             BuiltIn::WorkgroupId,   BuiltIn::LocalInvocationId, BuiltIn::GlobalInvocationId,
                             BuiltIn::GlobalSize,    BuiltIn::GlobalOffset};
  constexpr size_t kColumns = 8 * 3 + 3;
  KernelModule m;
  const Id v3 = m.vector(m.i64, 3), pointer = m.pointer(Storage::CrossWorkgroup, m.i64);
  const std::vector<Id> k = m.begin_kernel("k", {pointer});
  const Id linear = m.load(m.i64, m.built_in(BuiltIn::GlobalLinearId, m.i64));
  const Id row = m.op(Op::OpIMul, m.i64, {linear, m.constant(64, kColumns)});
  uint64_t column = 0;
  const auto put = [&](Id value) {
    m.store(m.element(k[0], m.op(Op::OpIAdd, m.i64, {row, m.constant(64, column++)}), m.i64), value);
  };
  for (const BuiltIn each : vectors) {
    const Id all = m.load(v3, m.built_in(each, v3));
    for (uint32_t d = 0; d < 3; ++d) put(m.op(Op::OpCompositeExtract, m.i64, {all, d}));
  }
  put(linear);
  put(m.load(m.i64, m.built_in(BuiltIn::LocalInvocationIndex, m.i64)));
  put(m.op(Op::OpUConvert, m.i64, {m.load(m.i32, m.built_in(BuiltIn::WorkDim, m.i32))}));
  m.end_kernel();
  cl_kernel kernel = kernel_of(build(m.words()), "k");
  cl_mem output = buffer(global[0] * global[1] * global[2] * kColumns * 8);
  set(kernel, 0, output);
  run_range(kernel, offset, global, local);
  std::vector<cl_ulong> expected;
  size_t linear_id = 0;
  std::array<size_t, 3> id{};
  for (id[2] = 0; id[2] < global[2]; ++id[2])
    for (id[1] = 0; id[1] < global[1]; ++id[1])
      for (id[0] = 0; id[0] < global[0]; ++id[0]) {
        const auto each = [&](const std::function<size_t(size_t)> &value) {
          for (size_t d = 0; d < 3; ++d) expected.push_back(value(d));
        };
        each([&](size_t d) { return global[d] / local[d]; });
        each([&](size_t d) { return local[d]; });
        each([&](size_t d) { return local[d]; });
        each([&](size_t d) { return id[d] / local[d]; });
        each([&](size_t d) { return id[d] % local[d]; });
        each([&](size_t d) { return offset[d] + id[d]; });
        each([&](size_t d) { return global[d]; });
        each([&](size_t d) { return offset[d]; });
        expected.push_back(linear_id++);
        expected.push_back((id[2] % local[2] * local[1] + id[1] % local[1]) * local[0] + id[0] % local[0]);
        expected.push_back(3);
      }
  EXPECT_EQ(values_of<cl_ulong>(content_of(output)), expected);
}

struct AtomicRow {
  Op op;
  cl_uint start;
  std::function<cl_uint(cl_uint old, cl_uint value)> combine;
};

// Each item applies each operation with its id, on a counter of its own row: the end does not depend on the order.
TEST_F(GroupTest, GivenAtomicOperations_WhenAllItemsUpdateOneNumber_ThenNoneIsLost) {
  constexpr cl_uint kItems = 500;
  const AtomicRow rows[] = {
      {Op::OpAtomicIAdd, 7, [](cl_uint a, cl_uint b) { return a + b; }},
      {Op::OpAtomicISub, 7, [](cl_uint a, cl_uint b) { return a - b; }},
      {Op::OpAtomicUMin, 300, [](cl_uint a, cl_uint b) { return std::min(a, b); }},
      {Op::OpAtomicUMax, 300, [](cl_uint a, cl_uint b) { return std::max(a, b); }},
      {Op::OpAtomicSMin, 300, [](cl_uint a, cl_uint b) { return static_cast<cl_uint>(std::min<cl_int>(a, b)); }},
      {Op::OpAtomicSMax, 0x80000000, [](cl_uint a, cl_uint b) { return static_cast<cl_uint>(std::max<cl_int>(a, b)); }},
      {Op::OpAtomicAnd, ~0U, [](cl_uint a, cl_uint b) { return a & b; }},
      {Op::OpAtomicOr, 0, [](cl_uint a, cl_uint b) { return a | b; }},
      {Op::OpAtomicXor, 5, [](cl_uint a, cl_uint b) { return a ^ b; }},
  };
  const uint32_t orders[] = {0, 2, 4, 8, 16};  // relaxed, acquire, release, both, sequentially consistent
  const uint32_t scopes[] = {0, 1, 2};         // all devices, device, work-group: one runs alone
  for (const uint32_t order : orders)
    for (const uint32_t scope : scopes) {
      KernelModule m;
      const std::vector<Id> k = m.begin_kernel("k", {m.global_i32});
      const Id value = m.op(Op::OpUConvert, m.i32, {m.global_id()});
      const Id scope_id = m.number(scope), order_id = m.number(order | (order ? 0x200 : 0));
      std::vector<cl_uint> start;
      for (const AtomicRow &row : rows) {
        const Id at = m.element(k[0], m.number(static_cast<int64_t>(start.size())), m.i32);
        m.op(row.op, m.i32, {at, scope_id, order_id, value});
        start.push_back(row.start);
      }
      for (const Op op : {Op::OpAtomicIIncrement, Op::OpAtomicIDecrement}) {
        m.op(op, m.i32, {m.element(k[0], m.number(static_cast<int64_t>(start.size())), m.i32), scope_id, order_id});
        start.push_back(1000);
      }
      m.end_kernel();
      std::vector<cl_uint> expected = start;
      for (cl_uint n = 0; n < kItems; ++n)
        for (size_t row = 0; row < std::size(rows); ++row) expected[row] = rows[row].combine(expected[row], n);
      expected[std::size(rows)] += kItems, expected[std::size(rows) + 1] -= kItems;
      cl_kernel kernel = kernel_of(build(m.words()), "k");
      cl_mem output = buffer(bytes_of(start));
      set(kernel, 0, output);
      run(kernel, kItems, scope == kWorkgroup ? kItems : 50);
      EXPECT_EQ(values_of<cl_uint>(content_of(output)), expected) << "order " << order << ", scope " << scope;
    }
}

// exchange, compare-exchange, load, store and flags of one item, on 32 and 64 bits.
TEST_F(GroupTest, GivenAtomicExchanges_WhenRun_ThenTheOldValuesReturn) {
  for (const unsigned bits : {32U, 64U}) {
    KernelModule m(0x10300);  // later versions lack OpAtomicCompareExchangeWeak
    m.capability(spv::Capability::Int64Atomics);
    const Id type = m.integer(bits), pointer = m.pointer(Storage::CrossWorkgroup, type);
    const std::vector<Id> k = m.begin_kernel("k", {pointer, pointer});
    const Id scope = m.number(1), order = m.number(0x210), relaxed = m.number(0);
    uint64_t row = 0;
    const auto put = [&](Id value) { m.store(m.element(k[0], m.constant(64, row++), type), value); };
    const auto number = [&](uint64_t value) { return m.constant(bits, value); };
    const uint64_t high = bits == 64 ? uint64_t(9) << 40 : 0;
    m.statement(Op::OpAtomicStore, {k[1], scope, order, number(high + 11)});
    put(m.op(Op::OpAtomicLoad, type, {k[1], scope, order}));
    put(m.op(Op::OpAtomicExchange, type, {k[1], scope, order, number(12)}));
    put(m.op(Op::OpAtomicCompareExchange, type, {k[1], scope, order, relaxed, number(high + 13), number(12)}));
    put(m.op(Op::OpAtomicCompareExchange, type, {k[1], scope, order, relaxed, number(14), number(12)}));
    put(m.op(Op::OpAtomicCompareExchangeWeak, type, {k[1], scope, order, relaxed, number(15), number(12)}));
    put(m.op(Op::OpAtomicLoad, type, {k[1], scope, relaxed}));
    m.end_kernel();
    cl_kernel kernel = kernel_of(build(m.words()), "k");
    cl_mem output = buffer(6 * bits / 8);
    set(kernel, 0, output);
    set(kernel, 1, buffer(8));
    run(kernel, 1);
    const std::vector<uint64_t> expected{high + 11, high + 11, 12, high + 13, high + 13, high + 13};
    const Bytes content = content_of(output);
    for (size_t n = 0; n < 6; ++n) {
      uint64_t actual = 0;
      std::memcpy(&actual, &content[n * bits / 8], bits / 8);
      EXPECT_EQ(actual, expected[n]) << bits << " bits, row " << n;
    }
  }
}

TEST_F(GroupTest, GivenAFlag_WhenManyItemsSetIt_ThenOneFindsItClear) {
  KernelModule m;
  const std::vector<Id> k = m.begin_kernel("k", {m.global_i32, m.global_i32});
  const Id index = m.global_id();
  const Id was_set = m.op(Op::OpAtomicFlagTestAndSet, m.boolean, {k[1], m.number(1), m.number(0x210)});
  m.put_at(k[0], index, m.op(Op::OpSelect, m.i32, {was_set, m.number(0), m.number(1)}));
  m.end_kernel();
  std::vector<cl_int> input(300, 0);
  const std::vector<cl_int> found = map(m.words(), input);
  EXPECT_EQ(std::ranges::count(found, 1), 1);
  EXPECT_EQ(std::ranges::count(found, 0), 299);
}

struct GroupRow {
  Op op;
  cl_uint neutral;
  std::function<cl_uint(cl_uint, cl_uint)> combine;
  bool is_non_uniform = false;
  bool is_khr = false;
};
cl_uint s_min(cl_uint a, cl_uint b) { return static_cast<cl_int>(a) < static_cast<cl_int>(b) ? a : b; }
cl_uint s_max(cl_uint a, cl_uint b) { return static_cast<cl_int>(a) > static_cast<cl_int>(b) ? a : b; }
cl_uint u_min(cl_uint a, cl_uint b) { return std::min(a, b); }
cl_uint u_max(cl_uint a, cl_uint b) { return std::max(a, b); }
const GroupRow kGroupRows[] = {
    {Op::OpGroupIAdd, 0, std::plus<>()},
    {Op::OpGroupUMin, ~0U, u_min},
    {Op::OpGroupSMin, 0x7fffffff, s_min},
    {Op::OpGroupUMax, 0, u_max},
    {Op::OpGroupSMax, 0x80000000, s_max},
    {Op::OpGroupIMulKHR, 1, std::multiplies<>(), false, true},
    {Op::OpGroupBitwiseAndKHR, ~0U, std::bit_and<>(), false, true},
    {Op::OpGroupBitwiseOrKHR, 0, std::bit_or<>(), false, true},
    {Op::OpGroupBitwiseXorKHR, 0, std::bit_xor<>(), false, true},
    {Op::OpGroupNonUniformIAdd, 0, std::plus<>(), true},
    {Op::OpGroupNonUniformIMul, 1, std::multiplies<>(), true},
    {Op::OpGroupNonUniformUMin, ~0U, u_min, true},
    {Op::OpGroupNonUniformSMin, 0x7fffffff, s_min, true},
    {Op::OpGroupNonUniformUMax, 0, u_max, true},
    {Op::OpGroupNonUniformSMax, 0x80000000, s_max, true},
    {Op::OpGroupNonUniformBitwiseAnd, ~0U, std::bit_and<>(), true},
    {Op::OpGroupNonUniformBitwiseOr, 0, std::bit_or<>(), true},
    {Op::OpGroupNonUniformBitwiseXor, 0, std::bit_xor<>(), true},
};

class GroupArithmeticTest : public GroupTest {
protected:
  static void declare(ModuleBuilder &m) {
    using C = spv::Capability;
    for (const C each :
         {C::Groups, C::GroupNonUniform, C::GroupNonUniformArithmetic, C::GroupNonUniformBallot, C::GroupNonUniformShuffle,
          C::GroupNonUniformShuffleRelative, C::GroupNonUniformVote, C::GroupUniformArithmeticKHR})
      m.capability(each);
    m.extension("SPV_KHR_uniform_group_instructions");
  }

  /// k(out, in, sub-group sizes of the items): each row's reduction and two scans, for one scope.
  static Words module_of_rows(uint32_t scope) {
    KernelModule m;
    declare(m);
    const std::vector<Id> k = m.begin_kernel("k", {m.global_i32, m.global_i32, m.global_i32});
    const Id index = m.global_id(), value = m.get_at(k[1], index),
             total = m.load(m.vector(m.i64, 3), m.built_in(BuiltIn::GlobalSize, m.vector(m.i64, 3)));
    const Id items = m.op(Op::OpCompositeExtract, m.i64, {total, 0});
    uint64_t row = 0;
    for (const GroupRow &each : kGroupRows) {
      if (each.is_non_uniform && scope == kWorkgroup) continue;
      for (const uint32_t operation : {kReduce, kInclusive, kExclusive}) {
        const Id start = m.op(Op::OpIMul, m.i64, {items, m.constant(64, row++)});
        m.put_at(k[0], m.op(Op::OpIAdd, m.i64, {start, index}), m.op(each.op, m.i32, {m.number(scope), operation, value}));
      }
    }
    if (scope == kSubgroup) {
      const auto built_in = [&](BuiltIn variable) { return m.load(m.i32, m.built_in(variable, m.i32)); };
      const Id sixteen_bits = m.binary(Op::OpShiftLeftLogical, built_in(BuiltIn::SubgroupId), m.number(16));
      m.put_at(k[2], index, m.binary(Op::OpBitwiseOr, sixteen_bits, built_in(BuiltIn::SubgroupLocalInvocationId)));
    }
    m.end_kernel();
    return m.words();
  }

  void check(uint32_t scope, size_t local) {
    constexpr size_t kGroups = 3;
    const size_t items = kGroups * local;
    std::mt19937 random(static_cast<unsigned>(local));
    std::vector<cl_uint> input(items);
    for (cl_uint &each : input) each = random() % 3 ? random() : random() | 0xffff0000;
    cl_kernel kernel = kernel_of(build(module_of_rows(scope)), "k");
    cl_mem output = buffer(3 * std::size(kGroupRows) * items * 4), places = buffer(items * 4);
    set(kernel, 0, output);
    set(kernel, 1, buffer(bytes_of(input)));
    set(kernel, 2, places);
    run(kernel, items, local);
    const auto results = values_of<cl_uint>(content_of(output)), places_of_items = values_of<cl_uint>(content_of(places));
    // The members of each group, in their order.
    std::map<std::pair<size_t, cl_uint>, std::map<cl_uint, size_t>> groups;
    for (size_t n = 0; n < items; ++n) {
      const cl_uint place = scope == kSubgroup ? places_of_items[n] : static_cast<cl_uint>(n % local);
      groups[{n / local, scope == kSubgroup ? place >> 16 : 0}][place & 0xffff] = n;
    }
    size_t row = 0;
    for (const GroupRow &each : kGroupRows) {
      if (each.is_non_uniform && scope == kWorkgroup) continue;
      for (const uint32_t operation : {kReduce, kInclusive, kExclusive}) {
        for (const auto &[key, members] : groups) {
          cl_uint sum = each.neutral, whole = each.neutral;
          for (const auto &[place, n] : members) whole = each.combine(whole, input[n]);
          for (const auto &[place, n] : members) {
            const cl_uint before = sum;
            sum = each.combine(sum, input[n]);
            ASSERT_EQ(results[row * items + n], operation == kReduce      ? whole
                                                : operation == kInclusive ? sum
                                                                          : before)
                << "instruction " << word(each.op) << ", operation " << operation << ", scope " << scope << ", item " << n
                << " of " << local;
          }
        }
        ++row;
      }
    }
  }
};

TEST_F(GroupArithmeticTest, GivenWorkGroups_WhenCombined_ThenAsInCpp) {
  for (const size_t local : {1U, 7U, 16U, 33U, 100U, 256U}) check(kWorkgroup, local);
}
TEST_F(GroupArithmeticTest, GivenSubGroups_WhenCombined_ThenAsInCpp) {
  if (!has_sub_groups()) GTEST_SKIP() << "no sub-groups";
  for (const size_t local : {1U, 7U, 16U, 33U, 100U, 256U}) check(kSubgroup, local);
}

TEST_F(GroupArithmeticTest, GivenVotesAndBroadcasts_WhenRun_ThenAllItemsAgree) {
  constexpr size_t kLocal = 40, kItems = 3 * kLocal;
  KernelModule m;
  declare(m);
  const std::vector<Id> k = m.begin_kernel("k", {m.global_i32, m.global_i32});
  const Id index = m.global_id(), value = m.get_at(k[1], index), scope = m.number(kWorkgroup);
  const auto flag = [&](Op op, Op comparison, int limit, int bit) {
    const Id vote = m.op(op, m.boolean, {scope, m.compare(comparison, value, m.number(limit))});
    return m.op(Op::OpSelect, m.i32, {vote, m.number(bit), m.number(0)});
  };
  Id sum = flag(Op::OpGroupAll, Op::OpSLessThan, 80, 1000);
  sum = m.binary(Op::OpIAdd, sum, flag(Op::OpGroupAny, Op::OpIEqual, 50, 2000));
  sum = m.binary(Op::OpIAdd, sum, m.op(Op::OpGroupBroadcast, m.i32, {scope, value, m.constant(64, 17)}));
  m.put_at(k[0], index, sum);
  m.end_kernel();
  std::vector<cl_int> input;
  for (size_t n = 0; n < kItems; ++n) input.push_back(static_cast<cl_int>(n));
  cl_kernel kernel = kernel_of(build(m.words()), "k");
  cl_mem output = buffer(kItems * 4);
  set(kernel, 0, output);
  set(kernel, 1, buffer(bytes_of(input)));
  run(kernel, kItems, kLocal);
  std::vector<cl_int> expected;
  for (size_t n = 0; n < kItems; ++n) {
    const auto group = static_cast<cl_int>(n / kLocal);
    expected.push_back((group < 2 ? 1000 : 0) + (group == 1 ? 2000 : 0) + group * static_cast<cl_int>(kLocal) + 17);
  }
  EXPECT_EQ(values_of<cl_int>(content_of(output)), expected);
}

// Sums and extremes of 8, 16 and 64 bits, and of floats that are whole numbers: exact in any order.
TEST_F(GroupArithmeticTest, GivenOtherWidths_WhenAWorkGroupCombines_ThenAsInCpp) {
  constexpr size_t kLocal = 33, kColumns = 6;
  for (const unsigned bits : {8U, 16U, 64U}) {
    KernelModule m;
    declare(m);
    const Id type = m.integer(bits), pointer = m.pointer(Storage::CrossWorkgroup, type);
    const std::vector<Id> k = m.begin_kernel("k", {pointer, pointer});
    const Id index = m.global_id(), value = m.load(type, m.element(k[1], index, type));
    uint64_t column = 0;
    const auto put = [&](Id result) {
      const Id row = m.op(Op::OpIMul, m.i64, {index, m.constant(64, kColumns)});
      m.store(m.element(k[0], m.op(Op::OpIAdd, m.i64, {row, m.constant(64, column++)}), type), result);
    };
    for (const Op op : {Op::OpGroupIAdd, Op::OpGroupUMin, Op::OpGroupSMin, Op::OpGroupUMax, Op::OpGroupSMax})
      put(m.op(op, type, {m.number(kWorkgroup), kReduce, value}));
    put(m.op(Op::OpGroupIAdd, type, {m.number(kWorkgroup), kInclusive, value}));
    m.end_kernel();
    const size_t bytes = bits / 8;
    std::mt19937_64 random(bits);
    Bytes input(kLocal * bytes);
    for (unsigned char &each : input) each = static_cast<unsigned char>(random());
    cl_kernel kernel = kernel_of(build(m.words()), "k");
    cl_mem output = buffer(kLocal * kColumns * bytes);
    set(kernel, 0, output);
    set(kernel, 1, buffer(input));
    run(kernel, kLocal, kLocal);
    const Bytes content = content_of(output);
    const auto at = [&](const Bytes &from, size_t place) {
      uint64_t found = 0;
      std::memcpy(&found, &from[place * bytes], bytes);
      return found;
    };
    const auto sign = [&](uint64_t number) { return static_cast<int64_t>(number << (64 - bits)) >> (64 - bits); };
    const uint64_t mask = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
    std::vector<uint64_t> all;
    for (size_t n = 0; n < kLocal; ++n) all.push_back(at(input, n));
    const auto by_sign = [&](uint64_t a, uint64_t b) { return sign(a) < sign(b); };
    uint64_t sum = 0, whole = 0;
    for (const uint64_t each : all) whole += each;
    for (size_t n = 0; n < kLocal; ++n) {
      sum += all[n];
      const uint64_t expected[] = {whole & mask,
                                   *std::ranges::min_element(all),
                                   *std::ranges::min_element(all, by_sign),
                                   *std::ranges::max_element(all),
                                   *std::ranges::max_element(all, by_sign),
                                   sum & mask};
      for (size_t c = 0; c < kColumns; ++c)
        EXPECT_EQ(at(content, n * kColumns + c), expected[c]) << bits << " bits, item " << n << ", " << c;
    }
  }
}

TEST_F(GroupArithmeticTest, GivenConditionsAndFloats_WhenAWorkGroupCombines_ThenAsInCpp) {
  constexpr size_t kLocal = 40, kColumns = 8;
  KernelModule m;
  declare(m);
  const Id f32 = m.floating(32), scope = m.number(kWorkgroup);
  const std::vector<Id> k = m.begin_kernel("k", {m.global_i32, m.global_i32});
  const Id index = m.global_id(), value = m.get_at(k[1], index);
  const Id row = m.op(Op::OpIMul, m.i64, {index, m.constant(64, kColumns)});
  uint64_t column = 0;
  const auto put = [&](Id result) { m.put_at(k[0], m.op(Op::OpIAdd, m.i64, {row, m.constant(64, column++)}), result); };
  const Id condition = m.compare(Op::OpSLessThan, value, m.number(30));
  for (const Op op : {Op::OpGroupLogicalAndKHR, Op::OpGroupLogicalOrKHR, Op::OpGroupLogicalXorKHR})
    for (const uint32_t operation : {kReduce, kInclusive})
      put(m.op(Op::OpSelect, m.i32, {m.op(op, m.boolean, {scope, operation, condition}), m.number(1), m.number(0)}));
  const Id real = m.op(Op::OpConvertSToF, f32, {value});
  put(m.op(Op::OpConvertFToS, m.i32, {m.op(Op::OpGroupFAdd, f32, {scope, kInclusive, real})}));
  put(m.op(Op::OpConvertFToS, m.i32, {m.op(Op::OpGroupFMax, f32, {scope, kReduce, real})}));
  m.end_kernel();
  std::vector<cl_int> input(kLocal);
  for (size_t n = 0; n < kLocal; ++n) input[n] = static_cast<cl_int>(n * 7 % 53);
  cl_kernel kernel = kernel_of(build(m.words()), "k");
  cl_mem output = buffer(kLocal * kColumns * 4);
  set(kernel, 0, output);
  set(kernel, 1, buffer(bytes_of(input)));
  run(kernel, kLocal, kLocal);
  const auto found = values_of<cl_int>(content_of(output));
  const auto num_true = std::ranges::count_if(input, [](cl_int n) { return n < 30; });
  cl_int sum = 0, before = 0;
  for (size_t n = 0; n < kLocal; ++n) {
    sum += input[n], before += input[n] < 30 ? 1 : 0;
    const cl_int expected[] = {num_true == static_cast<long>(kLocal),
                               before == static_cast<cl_int>(n + 1),
                               num_true > 0,
                               before > 0,
                               static_cast<cl_int>(num_true % 2),
                               before % 2,
                               sum,
                               *std::ranges::max_element(input)};
    for (size_t c = 0; c < kColumns; ++c) EXPECT_EQ(found[n * kColumns + c], expected[c]) << "item " << n << ", column " << c;
  }
}

// Each item reads its neighbours' values by shuffles, and the mask of odd values by a ballot.
TEST_F(GroupArithmeticTest, GivenSubGroups_WhenValuesAreExchanged_ThenTheyComeFromTheRightItem) {
  if (!has_sub_groups()) GTEST_SKIP() << "no sub-groups";
  constexpr size_t kItems = 64, kColumns = 9;
  KernelModule m;
  declare(m);
  const Id mask_type = m.vector(m.i32, 4), scope = m.number(kSubgroup);
  const std::vector<Id> k = m.begin_kernel("k", {m.global_i32});
  const Id index = m.global_id(), value = m.op(Op::OpUConvert, m.i32, {index});
  const auto built_in = [&](BuiltIn variable) { return m.load(m.i32, m.built_in(variable, m.i32)); };
  const Id row = m.op(Op::OpIMul, m.i64, {index, m.constant(64, kColumns)});
  uint64_t column = 0;
  const auto put = [&](Id result) { m.put_at(k[0], m.op(Op::OpIAdd, m.i64, {row, m.constant(64, column++)}), result); };
  const Id self = built_in(BuiltIn::SubgroupLocalInvocationId), size = built_in(BuiltIn::SubgroupSize);
  put(self), put(size);
  put(m.op(Op::OpGroupNonUniformShuffleXor, m.i32, {scope, value, m.number(1)}));
  put(m.op(Op::OpGroupNonUniformShuffleUp, m.i32, {scope, value, m.number(1)}));
  put(m.op(Op::OpGroupNonUniformShuffleDown, m.i32, {scope, value, m.number(1)}));
  put(m.op(Op::OpGroupNonUniformBroadcastFirst, m.i32, {scope, value}));
  const Id is_odd = m.compare(Op::OpIEqual, m.binary(Op::OpBitwiseAnd, value, m.number(1)), m.number(1));
  const Id ballot = m.op(Op::OpGroupNonUniformBallot, mask_type, {scope, is_odd});
  put(m.op(Op::OpCompositeExtract, m.i32, {ballot, 0}));
  put(m.op(Op::OpGroupNonUniformBallotBitCount, m.i32, {scope, kReduce, ballot}));
  const Id mine = m.op(Op::OpGroupNonUniformInverseBallot, m.boolean, {scope, ballot});
  put(m.op(Op::OpSelect, m.i32, {mine, m.number(1), m.number(0)}));
  m.end_kernel();
  const auto results = values_of<cl_int>(output_of(build(m.words()), "k", kItems * kColumns * 4, kItems, kItems));
  for (cl_int n = 0; n < static_cast<cl_int>(kItems); ++n) {
    const cl_int *found = &results[static_cast<size_t>(n) * kColumns];
    const cl_int self = found[0], size = found[1], first = n - self;
    ASSERT_EQ(self, n % size);  // sub-groups of consecutive items
    if ((self ^ 1) < size) EXPECT_EQ(found[2], n ^ 1);
    if (self > 0) EXPECT_EQ(found[3], n - 1);
    if (self + 1 < size) EXPECT_EQ(found[4], n + 1);
    EXPECT_EQ(found[5], first);
    cl_uint mask = 0;
    for (cl_int other = 0; other < std::min(size, 32); ++other)
      if ((first + other) % 2) mask |= 1U << other;
    EXPECT_EQ(static_cast<cl_uint>(found[6]), mask);
    EXPECT_EQ(found[7], size / 2);
    EXPECT_EQ(found[8], n % 2);
  }
}

TEST_F(GroupTest, GivenAnAsynchronousCopy_WhenWaitedFor_ThenTheItemsSeeIt) {
  constexpr uint32_t kLocal = 32;
  KernelModule m;
  const Id shared = m.global(Storage::Workgroup, m.array(m.i32, kLocal)), local_pointer = m.pointer(Storage::Workgroup, m.i32);
  const Id event = m.type(Op::OpTypeEvent);
  const Id none = m.constant_of(Op::OpConstantNull, event);
  const std::vector<Id> k = m.begin_kernel("k", {m.global_i32, m.global_i32});
  const Id events = m.variable(event);
  const Id index = m.global_id(), at = m.op(Op::OpUMod, m.i64, {index, m.constant(64, kLocal)});
  const Id first = m.op(Op::OpInBoundsAccessChain, local_pointer, {shared, m.number(0)});
  const Id from = m.element(k[1], m.op(Op::OpISub, m.i64, {index, at}), m.i32);
  m.store(events, m.op(Op::OpGroupAsyncCopy, event,
                       {m.number(kWorkgroup), first, from, m.constant(64, kLocal), m.constant(64, 1), none}));
  m.statement(Op::OpGroupWaitEvents, {m.number(kWorkgroup), m.number(1), events});
  const Id opposite = m.op(Op::OpISub, m.i64, {m.constant(64, kLocal - 1), at});
  m.put_at(k[0], index, m.load(m.i32, m.op(Op::OpInBoundsAccessChain, local_pointer, {shared, opposite})));
  m.end_kernel();
  std::vector<cl_int> input, expected;
  for (cl_int n = 0; n < 96; ++n) input.push_back(n * 3), expected.push_back((n / 32 * 32 + 31 - n % 32) * 3);
  cl_kernel kernel = kernel_of(build(m.words()), "k");
  cl_mem output = buffer(96 * 4);
  set(kernel, 0, output);
  set(kernel, 1, buffer(bytes_of(input)));
  run(kernel, 96, kLocal);
  EXPECT_EQ(values_of<cl_int>(content_of(output)), expected);
}

}  // namespace
}  // namespace upsweep::tests
