// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches, switches, loops, phis and the order of blocks.
#include "fixture.h"

#include <algorithm>
#include <functional>

namespace upsweep::tests {
namespace {

std::vector<cl_int> upto(cl_int count) {
  std::vector<cl_int> values;
  for (cl_int k = 0; k < count; ++k) values.push_back(k);
  return values;
}

std::vector<cl_int> mapped(const std::vector<cl_int> &input, const std::function<cl_int(cl_int)> &function) {
  std::vector<cl_int> values;
  std::ranges::transform(input, std::back_inserter(values), function);
  return values;
}

/// A kernel k(out, in) whose work-items compute out[id] of in[id]; finish() stores the value.
struct MapModule : KernelModule {
  MapModule() {
    arguments = begin_kernel("k", {global_i32, global_i32});
    index = global_id();
    in = get_at(arguments[1], index);
  }
  Words finish(Id value) {
    put_at(arguments[0], index, value);
    end_kernel();
    return words();
  }
  std::vector<Id> arguments;
  Id index = 0, in = 0;
};

class ControlFlowTest : public SpirvTest {
protected:
  /// A switch over the values of `bits` bits; labels 0 and 3 share a block, and so do a label and the default.
  void check_switch(unsigned bits) {
    const std::vector<uint64_t> all = {0, 1, 3, (uint64_t(1) << (bits - 1)), (uint64_t(1) << (bits - 1)) - 1, ~uint64_t(0), 77};
    const auto label_words = [&](uint64_t value) {
      if (bits == 64) return Words{static_cast<uint32_t>(value), static_cast<uint32_t>(value >> 32)};
      return Words{static_cast<uint32_t>(bits == 32 ? value : value & ((1U << bits) - 1))};
    };
    KernelModule m;
    const Id type = m.integer(bits);
    const std::vector<Id> arguments = m.begin_kernel("k", {m.global_i32, m.pointer(spv::StorageClass::CrossWorkgroup, type)});
    const Id index = m.global_id();
    const Id selector = m.load(type, m.element(arguments[1], index, type));
    const Id shared = m.id(), one = m.id(), least = m.id(), largest = m.id(), other = m.id(), merge = m.id();
    Words operands{selector, other};
    const auto label = [&](uint64_t value, Id block) { operands = operands + label_words(value) + Words{block}; };
    label(all[0], shared), label(all[1], one), label(all[2], shared), label(all[3], least), label(all[4], largest);
    label(77, other);
    m.statement(Op::OpSwitch, operands);
    Words incoming;
    int result = 10;
    for (const Id block : {shared, one, least, largest, other}) {
      m.block(block);
      incoming = incoming + Words{m.number(result++), block};
      m.branch(merge);
    }
    m.block(merge);
    const Id value = m.op(Op::OpPhi, m.i32, incoming);
    m.put_at(arguments[0], index, value);
    m.end_kernel();

    // The values, their neighbours, and values that differ in the high half alone.
    std::vector<uint64_t> input;
    for (const uint64_t each : all)
      for (const uint64_t value : {each, each + 1, each - 1, each ^ (uint64_t(1) << (bits / 2))}) input.push_back(value);
    const uint64_t mask = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
    std::vector<cl_int> expected;
    Bytes bytes(input.size() * bits / 8);
    for (size_t k = 0; k < input.size(); ++k) {
      std::memcpy(&bytes[k * bits / 8], &input[k], bits / 8);
      const uint64_t value = input[k] & mask;
      expected.push_back(value == 0 || value == 3 ? 10 : value == 1 ? 11 : value == all[3] ? 12 : value == all[4] ? 13 : 14);
    }
    cl_kernel kernel = kernel_of(build(m.words()), "k");
    cl_mem output = buffer(input.size() * sizeof(cl_int));
    set(kernel, 0, output);
    set(kernel, 1, buffer(bytes));
    run(kernel, input.size());
    EXPECT_EQ(values_of<cl_int>(content_of(output)), expected);
  }
};

TEST_F(ControlFlowTest, GivenSelectorsOf8Bits_WhenSwitched_ThenTheirLabelsRun) { check_switch(8); }
TEST_F(ControlFlowTest, GivenSelectorsOf16Bits_WhenSwitched_ThenTheirLabelsRun) { check_switch(16); }
TEST_F(ControlFlowTest, GivenSelectorsOf32Bits_WhenSwitched_ThenTheirLabelsRun) { check_switch(32); }
TEST_F(ControlFlowTest, GivenSelectorsOf64Bits_WhenSwitched_ThenTheirLabelsRun) { check_switch(64); }

// n = n odd ? 3n + 1 : n / 2, until n is 1, a multiple of 97, or 40 steps are done.
TEST_F(ControlFlowTest, GivenALoopWithThreeExits_WhenRun_ThenEachItemLeavesByItsOwn) {
  MapModule m;
  const Id loop = m.id(), second = m.id(), third = m.id(), body = m.id(), odd = m.id(), even = m.id(), next = m.id(),
           done = m.id(), entry = m.id(), n_next = m.id(), steps_next = m.id();
  m.branch(entry);
  m.block(entry);
  m.branch(loop);
  m.block(loop);
  const Id n = m.op(Op::OpPhi, m.i32, {m.in, entry, n_next, next});
  const Id steps = m.op(Op::OpPhi, m.i32, {m.number(0), entry, steps_next, next});
  const Id is_one = m.compare(Op::OpIEqual, n, m.number(1));
  m.statement(Op::OpLoopMerge, {done, next, 0});
  m.branch(is_one, done, second);
  m.block(second);
  m.branch(m.compare(Op::OpIEqual, m.binary(Op::OpUMod, n, m.number(97)), m.number(0)), done, third);
  m.block(third);
  m.branch(m.compare(Op::OpUGreaterThanEqual, steps, m.number(40)), done, body);
  m.block(body);
  m.branch(m.compare(Op::OpIEqual, m.binary(Op::OpBitwiseAnd, n, m.number(1)), m.number(1)), odd, even);
  m.block(odd);
  const Id tripled = m.binary(Op::OpIAdd, m.binary(Op::OpIMul, n, m.number(3)), m.number(1));
  m.branch(next);
  m.block(even);
  const Id halved = m.binary(Op::OpUDiv, n, m.number(2));
  m.branch(next);
  m.block(next);
  m.raw({(7U << 16) | word(Op::OpPhi), m.i32, n_next, tripled, odd, halved, even});
  m.raw({(5U << 16) | word(Op::OpIAdd), m.i32, steps_next, steps, m.number(1)});
  m.branch(loop);
  m.block(done);
  const Id exit = m.op(Op::OpPhi, m.i32, {m.number(1000), loop, m.number(2000), second, m.number(3000), third});
  const std::vector<cl_int> input = upto(301);
  EXPECT_EQ(map(m.finish(m.binary(Op::OpIAdd, exit, steps)), input), mapped(input, [](cl_int n) {
              for (cl_int steps = 0;; ++steps) {
                if (n == 1) return 1000 + steps;
                if (n % 97 == 0) return 2000 + steps;
                if (steps >= 40) return 3000 + steps;
                n = n % 2 ? 3 * n + 1 : n / 2;
              }
            }));
}

TEST_F(ControlFlowTest, GivenTwoPhisOfEachOther_WhenTheLoopTurns_ThenTheyAreSwapped) {
  MapModule m;
  const Id loop = m.id(), done = m.id(), entry = m.id(), a = m.id(), b = m.id(), k_next = m.id();
  m.branch(entry);
  m.block(entry);
  m.branch(loop);
  m.block(loop);
  m.raw({(7U << 16) | word(Op::OpPhi), m.i32, a, m.number(1), entry, b, loop});
  m.raw({(7U << 16) | word(Op::OpPhi), m.i32, b, m.number(2), entry, a, loop});
  const Id k = m.op(Op::OpPhi, m.i32, {m.in, entry, k_next, loop});
  m.raw({(5U << 16) | word(Op::OpISub), m.i32, k_next, k, m.number(1)});
  m.branch(m.compare(Op::OpSGreaterThan, k, m.number(0)), loop, done);
  m.block(done);
  const std::vector<cl_int> input = upto(67);
  EXPECT_EQ(map(m.finish(m.binary(Op::OpIAdd, m.binary(Op::OpIMul, a, m.number(10)), b)), input),
            mapped(input, [](cl_int n) { return n % 2 ? 21 : 12; }));
}

TEST_F(ControlFlowTest, GivenBlocksBeforeTheirDominators_WhenRead_ThenTheirValuesAreFound) {
  MapModule m;
  const Id first = m.id(), left = m.id(), right = m.id(), merge = m.id(), square = m.id(), value = m.id();
  m.branch(first);
  m.block(merge);
  m.raw({(7U << 16) | word(Op::OpPhi), m.i32, value, m.number(7), left, square, right});
  m.put_at(m.arguments[0], m.index, value);
  m.statement(Op::OpReturn);
  m.block(left);
  m.branch(merge);
  m.block(right);
  m.branch(merge);
  m.block(first);
  m.raw({(5U << 16) | word(Op::OpIMul), m.i32, square, m.in, m.in});
  m.branch(m.compare(Op::OpSLessThan, m.in, m.number(20)), left, right);
  m.end_function();
  const std::vector<cl_int> input = upto(67);
  EXPECT_EQ(map(m.words(), input), mapped(input, [](cl_int n) { return n < 20 ? 7 : n * n; }));
}

TEST_F(ControlFlowTest, GivenUnreachableBlocks_WhenRead_ThenTheyChangeNothing) {
  MapModule m;
  const Id merge = m.id(), orphan = m.id(), other_orphan = m.id(), entry = m.id();
  m.branch(entry);
  m.block(entry);
  m.branch(merge);
  m.block(orphan);
  const Id lost = m.binary(Op::OpIAdd, m.in, m.number(1));
  m.branch(merge);
  m.block(other_orphan);
  m.statement(Op::OpUnreachable);
  m.block(merge);
  const Id value = m.op(Op::OpPhi, m.i32, {lost, orphan, m.in, entry});
  const std::vector<cl_int> input = upto(67);
  EXPECT_EQ(map(m.finish(value), input), input);
}

TEST_F(ControlFlowTest, GivenEarlyReturns_WhenItemsDiverge_ThenTheOthersGoOn) {
  MapModule m;
  const Id leave = m.id(), go_on = m.id(), leave_late = m.id(), last = m.id();
  m.branch(m.compare(Op::OpIEqual, m.binary(Op::OpUMod, m.in, m.number(3)), m.number(0)), leave, go_on);
  m.block(leave);
  m.statement(Op::OpReturn);
  m.block(go_on);
  m.put_at(m.arguments[0], m.index, m.number(5));
  m.branch(m.compare(Op::OpUGreaterThan, m.in, m.number(30)), leave_late, last);
  m.block(leave_late);
  m.statement(Op::OpReturn);
  m.block(last);
  const std::vector<cl_int> input = upto(67);
  const auto poison = static_cast<cl_int>(kPoisonWord);
  EXPECT_EQ(map(m.finish(m.in), input), mapped(input, [&](cl_int n) { return n % 3 == 0 ? poison : n > 30 ? 5 : n; }));
}

// Two nested loops, in which a branch leaves both, and a variable in memory counts the turns.
TEST_F(ControlFlowTest, GivenNestedLoops_WhenABranchLeavesBoth_ThenTheCountIsRight) {
  KernelModule m;
  const std::vector<Id> arguments = m.begin_kernel("k", {m.global_i32, m.global_i32});
  const Id count = m.variable(m.i32, {m.number(0)}), i = m.variable(m.i32, {m.number(0)}), j = m.variable(m.i32);
  const Id index = m.global_id(), in = m.get_at(arguments[1], index);
  const auto step = [&](Id variable) { m.store(variable, m.binary(Op::OpIAdd, m.load(m.i32, variable), m.number(1))); };
  const Id outer = m.id(), inner_start = m.id(), inner = m.id(), body = m.id(), inner_next = m.id(), outer_next = m.id(),
           done = m.id();
  m.branch(outer);
  m.block(outer);
  m.branch(m.compare(Op::OpSLessThan, m.load(m.i32, i), m.number(9)), inner_start, done);
  m.block(inner_start);
  m.store(j, m.load(m.i32, i));
  m.branch(inner);
  m.block(inner);
  m.branch(m.compare(Op::OpSLessThan, m.load(m.i32, j), m.number(12)), body, outer_next);
  m.block(body);
  step(count);
  m.branch(m.compare(Op::OpIEqual, m.binary(Op::OpIMul, m.load(m.i32, i), m.load(m.i32, j)), in), done, inner_next);
  m.block(inner_next);
  step(j);
  m.branch(inner);
  m.block(outer_next);
  step(i);
  m.branch(outer);
  m.block(done);
  m.put_at(arguments[0], index, m.load(m.i32, count));
  m.end_kernel();
  const std::vector<cl_int> input = upto(101);
  EXPECT_EQ(map(m.words(), input), mapped(input, [](cl_int wanted) {
              cl_int count = 0;
              for (cl_int i = 0; i < 9; ++i)
                for (cl_int j = i; j < 12; ++j) {
                  ++count;
                  if (i * j == wanted) return count;
                }
              return count;
            }));
}

}  // namespace
}  // namespace upsweep::tests
