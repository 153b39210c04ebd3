// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "valid_modules.h"

#include <spirv/unified1/OpenCL.std.h>

namespace upsweep::tests {
namespace {

using Storage = spv::StorageClass;

/// A module with a kernel k(out, in) of these instructions.
template <typename Body>
Words module_of(const Body &body) {
  KernelModule m;
  const std::vector<Id> k = m.begin_kernel("k", {m.global_i32, m.global_i32});
  body(m, k);
  m.end_kernel();
  return m.words();
}

Words arithmetic() {
  return module_of([](KernelModule &m, const std::vector<Id> &k) {
    const Id v4 = m.vector(m.i32, 4), f4 = m.vector(m.floating(32), 4), b4 = m.vector(m.boolean, 4);
    const Id x = m.get_at(k[1], m.global_id()), v = m.op(Op::OpCompositeConstruct, v4, {x, x, x, x});
    const Id f = m.op(Op::OpConvertSToF, f4, {v});
    Id sum = v;
    for (const Op op : {Op::OpIAdd, Op::OpISub, Op::OpIMul, Op::OpUDiv, Op::OpSDiv, Op::OpUMod, Op::OpSRem, Op::OpSMod,
                        Op::OpShiftLeftLogical, Op::OpShiftRightLogical, Op::OpShiftRightArithmetic, Op::OpBitwiseAnd,
                        Op::OpBitwiseOr, Op::OpBitwiseXor})
      sum = m.op(op, v4, {sum, v});
    Id product = f;
    for (const Op op : {Op::OpFAdd, Op::OpFSub, Op::OpFMul, Op::OpFDiv, Op::OpFRem, Op::OpFMod})
      product = m.op(op, f4, {product, f});
    for (const Op op : {Op::OpIEqual, Op::OpSLessThan, Op::OpUGreaterThanEqual}) {
      const Id chosen = m.op(op, b4, {sum, v});
      sum = m.op(Op::OpSelect, v4, {chosen, sum, v});
    }
    for (const Op op : {Op::OpFOrdLessThan, Op::OpFUnordEqual, Op::OpOrdered})
      product = m.op(Op::OpSelect, f4, {m.op(op, b4, {product, f}), product, f});
    for (const Op op : {Op::OpNot, Op::OpSNegate, Op::OpBitCount, Op::OpBitReverse}) sum = m.op(op, v4, {sum});
    const Id pair = m.structure({v4, v4});
    for (const Op op : {Op::OpIAddCarry, Op::OpUMulExtended, Op::OpSMulExtended})
      sum = m.op(Op::OpCompositeExtract, v4, {m.op(op, pair, {sum, v}), 1});
    sum = m.op(Op::OpBitFieldInsert, v4, {sum, v, m.number(3), m.number(4)});
    sum = m.op(Op::OpVectorShuffle, v4, {sum, v, 0, 5, 2, 7});
    sum = m.op(Op::OpVectorInsertDynamic, v4, {sum, x, m.number(2)});
    sum = m.op(Op::OpIAdd, v4, {sum, m.op(Op::OpConvertFToS, v4, {product})});
    m.put_at(k[0], m.global_id(), m.op(Op::OpVectorExtractDynamic, m.i32, {sum, x}));
  });
}

Words control_flow() {
  return module_of([](KernelModule &m, const std::vector<Id> &k) {
    const Id x = m.get_at(k[1], m.global_id());
    const Id entry = m.id(), loop = m.id(), body = m.id(), first = m.id(), second = m.id(), next = m.id(), done = m.id(),
             n_next = m.id();
    m.branch(entry);
    m.block(entry);
    m.branch(loop);
    m.block(loop);
    const Id n = m.op(Op::OpPhi, m.i32, {x, entry, n_next, next});
    const Id goes_on = m.compare(Op::OpSGreaterThan, n, m.number(0));
    m.statement(Op::OpLoopMerge, {done, next, 0});
    m.branch(goes_on, body, done);
    m.block(body);
    m.statement(Op::OpSwitch, {n, next, 1, first, 2, second, 9, done});
    m.block(first);
    m.put_at(k[0], m.number(0), n);
    m.branch(next);
    m.block(second);
    m.branch(next);
    m.block(next);
    const Id step = m.op(Op::OpPhi, m.i32, {m.number(1), body, m.number(2), first, m.number(3), second});
    m.statement(Op::OpISub, {m.i32, n_next, n, step});
    m.branch(loop);
    m.block(done);
    m.put_at(k[0], m.global_id(), n);
  });
}

Words memory() {
  return module_of([](KernelModule &m, const std::vector<Id> &k) {
    const Id pair = m.structure({m.i32, m.array(m.i32, 4)});
    const Id shared = m.global(Storage::Workgroup, pair), kept = m.global(Storage::CrossWorkgroup, m.i32, {m.number(7)});
    const Id own = m.variable(pair), generic = m.pointer(Storage::Generic, m.i32);
    const auto inside = [&](Id base, Storage storage, int at) {
      return m.op(Op::OpInBoundsAccessChain, m.pointer(storage, m.i32), {base, m.number(1), m.number(at)});
    };
    m.store(inside(own, Storage::Function, 2), m.get_at(k[1], m.global_id()));
    m.store(inside(shared, Storage::Workgroup, 3), m.load(m.i32, kept));
    m.statement(Op::OpControlBarrier, {m.number(2), m.number(2), m.number(0x110)});
    m.statement(Op::OpMemoryBarrier, {m.number(1), m.number(0x210)});
    m.statement(Op::OpCopyMemory, {shared, own});
    m.store(m.op(Op::OpPtrCastToGeneric, generic, {k[0]}), m.load(m.i32, inside(shared, Storage::Workgroup, 2)));
    for (const Op op : {Op::OpAtomicIAdd, Op::OpAtomicSMin, Op::OpAtomicExchange})
      m.op(op, m.i32, {k[0], m.number(1), m.number(0x210), m.number(3)});
    m.op(Op::OpAtomicCompareExchange, m.i32, {k[0], m.number(1), m.number(0x210), m.number(0), m.number(3), m.number(4)});
    m.put_at(k[0], m.number(1), m.op(Op::OpGroupIAdd, m.i32, {m.number(2), 0, m.number(1)}));
  });
}

Words calls() {
  KernelModule m;
  std::vector<Id> p;
  const Id pair = m.structure({m.i32, m.floating(32)});
  const Id function = m.begin_function(pair, {pair, m.i32}, p);
  m.block();
  m.statement(Op::OpReturnValue, {m.op(Op::OpCompositeInsert, pair, {p[1], p[0], 0})});
  m.end_function();
  const Id size = m.constant_of(Op::OpSpecConstant, m.i32, {4});
  m.decorate(size, spv::Decoration::SpecId, {1});
  const Id twice = m.constant_of(Op::OpSpecConstantOp, m.i32, {word(Op::OpIMul), size, m.number(2)});
  const std::vector<Id> k = m.begin_kernel("k", {m.global_i32, m.global_i32});
  const Id made = m.op(Op::OpFunctionCall, pair, {function, m.constant_of(Op::OpConstantNull, pair), twice});
  m.put_at(k[0], m.number(0), m.op(Op::OpCompositeExtract, m.i32, {made, 0}));
  m.end_kernel();
  return m.words();
}

Words library() {
  return module_of([](KernelModule &m, const std::vector<Id> &k) {
    const Id set = m.import("OpenCL.std"), f32 = m.floating(32), v4 = m.vector(m.i32, 4);
    const Id x = m.get_at(k[1], m.global_id()), f = m.op(Op::OpConvertSToF, f32, {x});
    Id sum = x, real = f;
    for (const auto each : {OpenCLLIB::SAbs_diff, OpenCLLIB::UMax, OpenCLLIB::Rotate, OpenCLLIB::SMul_hi})
      sum = m.op(Op::OpExtInst, m.i32, {set, word(each), sum, x});
    for (const auto each : {OpenCLLIB::Sin, OpenCLLIB::Sqrt, OpenCLLIB::Native_exp})
      real = m.op(Op::OpExtInst, f32, {set, word(each), real});
    real = m.op(Op::OpExtInst, f32, {set, word(OpenCLLIB::Fma), real, f, f});
    const Id loaded = m.op(Op::OpExtInst, v4, {set, word(OpenCLLIB::Vloadn), m.constant(64, 0), k[1], 4});
    m.op(Op::OpExtInst, m.void_type(), {set, word(OpenCLLIB::Vstoren), loaded, m.constant(64, 1), k[0]});
    m.put_at(k[0], m.number(0), m.binary(Op::OpIAdd, sum, m.op(Op::OpConvertFToU, m.i32, {real})));
  });
}

Words images() {
  KernelModule m;
  m.capability(spv::Capability::ImageBasic);
  m.capability(spv::Capability::LiteralSampler);
  const auto image = [&](spv::AccessQualifier access) {
    return m.type(Op::OpTypeImage, {m.void_type(), word(spv::Dim::Dim2D), 0, 0, 0, 0, 0, word(access)});
  };
  const Id read = image(spv::AccessQualifier::ReadOnly), sampler = m.type(Op::OpTypeSampler), v2 = m.vector(m.i32, 2),
           texel = m.vector(m.i32, 4);
  const Id literal = m.constant_of(Op::OpConstantSampler, sampler, {1, 0, 0}), place = m.splat(m.i32, 2, m.number(1));
  const std::vector<Id> k = m.begin_kernel("k", {m.global_i32, read, image(spv::AccessQualifier::WriteOnly), sampler});
  const Id pair = m.op(Op::OpSampledImage, m.type(Op::OpTypeSampledImage, {read}), {k[1], literal});
  const Id sampled = m.op(Op::OpImageSampleExplicitLod, texel, {pair, place, 2, m.constant(0.0F)});
  m.statement(Op::OpImageWrite, {k[2], place, m.op(Op::OpIAdd, texel, {sampled, m.op(Op::OpImageRead, texel, {k[1], place})})});
  const Id size = m.op(Op::OpImageQuerySizeLod, v2, {k[1], m.number(0)});
  m.put_at(k[0], m.number(0), m.op(Op::OpCompositeExtract, m.i32, {size, 0}));
  m.end_kernel();
  return m.words();
}

}  // namespace

std::vector<Words> valid_modules() { return {arithmetic(), control_flow(), memory(), calls(), library(), images()}; }

}  // namespace upsweep::tests
