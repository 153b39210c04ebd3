// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes the results of a program. It runs one statement at a time for all active work-items of a group, so that barriers
// and collectives need no threads. It shares no code with the compiler under test.
#include "kernel_arithmetic.h"
#include "kernel_pictures.h"

#include <algorithm>
#include <bitset>
#include <memory>
#include <stdexcept>

namespace upsweep::fuzz {
namespace {

constexpr size_t kMostItems = 256;
using Mask = std::bitset<kMostItems>;
using Value = std::array<uint64_t, 16>;

/// The variables of a function call.
struct Frame {
  std::vector<Value> variables;
  std::array<std::array<uint32_t, kElements>, 2> boxes{{{1, 2, 3, 4, 5, 6, 7, 8}, {11, 12, 13, 14, 15, 16, 17, 18}}};
  std::array<Value, kElements> crate{};
  std::array<std::vector<Value>, 4> records{};
  size_t box = 0, place = 0;  ///< of the pointer
  uint64_t returned = 0;
};

struct Item {
  uint32_t global_id = 0, local_id = 0;
  std::array<size_t, 3> local{}, global{};
  Frame frame;
};

/// The work-items that have left the loops and the function around a statement.
struct Exits {
  Mask broken, continued, returned;
};

class Group {
public:
  Group(const Program &program, Results &results, size_t sub_group_size)
      : program_(program), results_(results), sub_group_size_(sub_group_size), in_(inputs()) {
    if (program.picture) picture_ = texels(*program.picture);
  }

  void run(uint32_t group_id, std::array<size_t, 3> first, std::array<size_t, 3> size) {
    group_id_ = group_id;
    first_ = first;
    size_ = size;
    items_.clear();
    for (size_t z = 0; z < size[2]; ++z)
      for (size_t y = 0; y < size[1]; ++y)
        for (size_t x = 0; x < size[0]; ++x) {
          Item item;
          item.local = {x, y, z};
          item.global = {x + first[0], y + first[1], z + first[2]};
          item.local_id = static_cast<uint32_t>(items_.size());
          item.global_id =
              static_cast<uint32_t>(((z + first[2]) * program_.global[1] + y + first[1]) * program_.global[0] + x + first[0]);
          items_.push_back(std::move(item));
        }
    Mask all;
    for (size_t i = 0; i < items_.size(); ++i) all.set(i);
    for (Item &item : items_) {
      start(item, program_.variables, 0);
      item.frame.records.fill({item.frame.variables.begin(), item.frame.variables.begin() + program_.members});
    }
    Exits exits;
    run(program_.body, all, exits);
    for (const Item &item : items_) digest(item);
  }

private:
  void start(Item &item, const std::vector<Variable> &variables, size_t parameters) {
    item.frame.variables.resize(variables.size());
    for (size_t v = parameters; v < variables.size(); ++v) item.frame.variables[v] = evaluate(variables[v].start, item);
  }

  void digest(const Item &item) {
    const size_t count = program_.variables.size();
    for (size_t v = 0; v < count; ++v) {
      const Type type = program_.variables[v].type;
      uint64_t digest = 0;
      for (unsigned c = 0; c < type.width; ++c) {
        const uint64_t bits = item.frame.variables[v][c];
        digest = digest * 31 + (is_float(type.base) && is_nan(bits) ? 1 : bits);
      }
      results_.outputs[item.global_id * count + v] = digest;
    }
  }

  // Expressions, of one work-item.

  uint64_t scalar(const Expression &e, Item &item) { return evaluate(e, item)[0]; }

  Value evaluate(const Expression &e, Item &item) {
    Value result{};
    switch (e.op) {
    case Op::kLiteral: std::fill_n(result.begin(), e.type.width, normal(e.type.base, e.number)); break;
    case Op::kVariable: return item.frame.variables[e.number];
    case Op::kGlobalId: result[0] = item.global_id; break;
    case Op::kLocalId: result[0] = item.local_id; break;
    case Op::kGroupId: result[0] = group_id_; break;
    case Op::kArgument: result[0] = program_.arguments[e.number]; break;
    case Op::kWideId: result[0] = wide_id(kWideIds[e.number], item); break;
    case Op::kSubGroupId: result[0] = item.local_id / sub_group_size_; break;
    case Op::kInput: result[0] = input(scalar(e.arguments[0], item) & (program_.reach - 1)); break;
    case Op::kElement: result[0] = item.frame.boxes[0][scalar(e.arguments[0], item) & 7]; break;
    case Op::kCrated: return item.frame.crate[scalar(e.arguments[0], item) & 7];
    case Op::kPointed: result[0] = item.frame.boxes[item.frame.box][item.frame.place]; break;
    case Op::kChoose:
    case Op::kSelect: return chosen(e, item);
    case Op::kConvert:
    case Op::kConvertSaturated: {
      result = evaluate(e.arguments[0], item);
      for (unsigned c = 0; c < e.type.width; ++c)
        result[c] = convert(e.type.base, e.arguments[0].type.base, result[c], e.op == Op::kConvertSaturated);
      break;
    }
    case Op::kReinterpret: return reinterpreted(e, item);
    case Op::kSwizzle: {
      const Value from = evaluate(e.arguments[0], item);
      for (unsigned c = 0; c < e.type.width; ++c) result[c] = from[e.components[c]];
      break;
    }
    case Op::kCompose:
      for (unsigned c = 0; c < e.type.width; ++c) result[c] = scalar(e.arguments[c], item);
      break;
    case Op::kCall: result[0] = call(e, item); break;
    case Op::kTexel: result[0] = texel(e, item); break;
    case Op::kCanvas: result[0] = read_texel(*program_.canvas, own_texel(item))[e.components[0]]; break;
    default: return operated(e, item);
    }
    return result;
  }

  /// The nearest texel at unnormalised coordinates.
  uint64_t texel(const Expression &e, Item &item) {
    const Picture &picture = *program_.picture;
    const int64_t right = static_cast<int64_t>(picture.width) - 1, bottom = static_cast<int64_t>(picture.height) - 1;
    int64_t x = place_in_picture(scalar(e.arguments[0], item)), y = place_in_picture(scalar(e.arguments[1], item));
    const bool outside = x < 0 || x > right || y < 0 || y > bottom;
    if (outside && (e.number & kBorder) != 0) return border(picture)[e.components[0]];
    x = std::clamp<int64_t>(x, 0, right);
    y = std::clamp<int64_t>(y, 0, bottom);
    const auto index = static_cast<size_t>(y) * picture.width + static_cast<size_t>(x);
    return read_texel(picture, picture_.data() + index * texel_bytes(picture))[e.components[0]];
  }

  uint8_t *own_texel(const Item &item) { return results_.canvas.data() + item.global_id * texel_bytes(*program_.canvas); }

  uint64_t wide_id(const WideId &id, const Item &item) {
    const unsigned d = id.dimension;
    switch (id.kind) {
    case WideId::kGlobal: return d == 3 ? item.global_id : item.global[d];
    case WideId::kLocal: return d == 3 ? item.local_id : item.local[d];
    case WideId::kGroup: return first_[d] / program_.local[d];
    case WideId::kGlobalSize: return program_.global[d];
    case WideId::kLocalSize: break;
    }
    return size_[d];
  }

  Value operated(const Expression &e, Item &item) {
    const Type from = e.arguments[0].type;
    const Value a = evaluate(e.arguments[0], item);
    const Value b = e.arguments.size() > 1 ? evaluate(e.arguments[1], item) : Value{};
    const bool truth = e.op == Op::kNot || (e.op >= Op::kLess && e.op <= Op::kLogicalOr);
    Value result{};
    for (unsigned c = 0; c < e.type.width; ++c) {
      result[c] = apply(e.op, from.base, a[c], b[c], from.width == 1);
      if (truth && e.type.width > 1) result[c] = 0 - result[c];
      result[c] = normal(e.type.base, result[c]);
    }
    return result;
  }

  Value chosen(const Expression &e, Item &item) {
    const Value condition = evaluate(e.arguments[0], item), yes = evaluate(e.arguments[1], item),
                no = evaluate(e.arguments[2], item);
    Value result{};
    for (unsigned c = 0; c < e.type.width; ++c) {
      const bool taken = e.type.width == 1 ? condition[0] != 0 : static_cast<int64_t>(condition[c]) < 0;
      result[c] = taken ? yes[c] : no[c];
    }
    return result;
  }

  Value reinterpreted(const Expression &e, Item &item) {
    const Type from = e.arguments[0].type;
    const Value value = evaluate(e.arguments[0], item);
    std::array<uint8_t, 128> bytes{};
    const unsigned from_bytes = bits_of(from.base) / 8, to_bytes = bits_of(e.type.base) / 8;
    for (unsigned i = 0; i < from.width * from_bytes; ++i)
      bytes[i] = static_cast<uint8_t>(value[i / from_bytes] >> 8 * (i % from_bytes));
    Value result{};
    for (unsigned c = 0; c < e.type.width; ++c) {
      for (unsigned i = 0; i < to_bytes; ++i) result[c] |= uint64_t{bytes[c * to_bytes + i]} << 8 * i;
      result[c] = normal(e.type.base, result[c]);
    }
    return result;
  }

  uint64_t call(const Expression &e, Item &item) {
    const Helper &helper = program_.helpers[e.number];
    Frame called;
    called.variables.resize(2);
    for (size_t i = 0; i < 2; ++i) called.variables[i] = evaluate(e.arguments[i], item);
    std::swap(item.frame, called);
    start(item, helper.variables, 2);
    Mask only;
    only.set(item.local_id);
    Exits exits;
    run(helper.body, only, exits);
    const uint64_t result = exits.returned.any() ? item.frame.returned : scalar(helper.result, item);
    std::swap(item.frame, called);
    return result;
  }

  // Statements, for all active work-items. They return the work-items that continue with the next statement.

  template <typename F>
  void each(const Mask &mask, F &&function) {
    for (Item &item : items_)
      if (mask[item.local_id]) function(item);
  }

  Mask holds(const Expression &condition, const Mask &mask) {
    Mask result;
    each(mask, [&](Item &item) { result[item.local_id] = scalar(condition, item) != 0; });
    return result;
  }

  Mask run(const std::vector<Statement> &body, Mask mask, Exits &exits) {
    for (const Statement &s : body) {
      if (mask.none()) break;
      mask = run(s, mask, exits);
    }
    return mask;
  }

  Mask run(const Statement &s, const Mask &mask, Exits &exits) {
    using Kind = Statement::Kind;
    switch (s.kind) {
    case Kind::kAssign: each(mask, [&](Item &i) { i.frame.variables[s.variable] = evaluate(s.value, i); }); return mask;
    case Kind::kAssignComponent:
      each(mask, [&](Item &i) { i.frame.variables[s.variable][s.number] = scalar(s.value, i); });
      return mask;
    case Kind::kAssignElement:
      each(mask, [&](Item &i) { i.frame.boxes[0][scalar(s.index, i) & 7] = static_cast<uint32_t>(scalar(s.value, i)); });
      return mask;
    case Kind::kAssignCrated:
      each(mask, [&](Item &i) { i.frame.crate[scalar(s.index, i) & 7] = evaluate(s.value, i); });
      return mask;
    case Kind::kAssignPointed:
      each(mask, [&](Item &i) { i.frame.boxes[i.frame.box][i.frame.place] = static_cast<uint32_t>(scalar(s.value, i)); });
      return mask;
    case Kind::kPoint:
      each(mask, [&](Item &i) {
        const size_t box = scalar(s.value, i) == 0;
        i.frame.place = scalar(s.index, i) & 7;
        i.frame.box = box;
      });
      return mask;
    case Kind::kSave:
    case Kind::kRestore: each(mask, [&](Item &i) { copy_record(s, i); }); return mask;
    case Kind::kStore:
    case Kind::kLoad: each(mask, [&](Item &i) { access(s, i); }); return mask;
    case Kind::kIf: {
      const Mask yes = holds(s.value, mask);
      return run(s.bodies[0], yes, exits) | run(s.bodies[1], mask & ~yes, exits);
    }
    case Kind::kFor: return count_up(s, mask, exits);
    case Kind::kDo: return count_down(s, mask, exits);
    case Kind::kSwitch: return select_case(s, mask, exits);
    case Kind::kBreak: exits.broken |= mask; return {};
    case Kind::kContinue: exits.continued |= mask; return {};
    case Kind::kReturn:
      each(mask, [&](Item &i) { i.frame.returned = scalar(s.value, i); });
      exits.returned |= mask;
      return {};
    case Kind::kExchange: exchange(s); return mask;
    case Kind::kCollective: collective(s, mask); return mask;
    case Kind::kAtomic:
      each(mask, [&](Item &i) {
        auto &bin = results_.bins[8 * static_cast<unsigned>(s.combination) + (scalar(s.index, i) & 7)];
        bin = static_cast<uint32_t>(combine(s.combination, Base::kUint, bin, scalar(s.value, i)));
      });
      return mask;
    case Kind::kPaint:
      each(mask, [&](Item &i) { paint_texel(*program_.canvas, static_cast<uint32_t>(scalar(s.value, i)), own_texel(i)); });
      return mask;
    }
    return mask;
  }

  void copy_record(const Statement &s, Item &item) {
    auto &record = item.frame.records[scalar(s.index, item) & 3];
    const auto first = item.frame.variables.begin(), last = first + program_.members;
    if (s.kind == Statement::Kind::kSave)
      std::copy(first, last, record.begin());
    else
      std::copy(record.begin(), record.end(), first);
  }

  void access(const Statement &s, Item &item) {
    const Type type = program_.regions[s.region].type;
    const size_t bytes = bits_of(type.base) / 8;
    size_t at = scalar(s.index, item);
    if (at >= kPlaces) throw std::out_of_range("a place that its region does not have");
    at = at * bytes * type.width;
    for (unsigned r = 0; r < s.region; ++r) at += region_bytes(program_.regions[r]);
    Value value = s.kind == Statement::Kind::kStore ? evaluate(s.value, item) : Value{};
    for (unsigned c = 0; c < type.width; ++c) {
      for (unsigned b = 0; b < bytes; ++b, ++at) {
        if (s.kind == Statement::Kind::kStore)
          results_.heap[at] = static_cast<uint8_t>(value[c] >> 8 * b);
        else
          value[c] |= uint64_t{results_.heap[at]} << 8 * b;
      }
      value[c] = normal(type.base, value[c]);
    }
    if (s.kind == Statement::Kind::kLoad) item.frame.variables[s.variable] = value;
  }

  Mask count_up(const Statement &s, const Mask &mask, Exits &exits) {
    Mask running = mask, done;
    Exits inner;
    each(mask, [&](Item &i) { i.frame.variables[s.variable][0] = 0; });
    while (running.any()) {
      Mask going;
      each(running, [&](Item &i) { going[i.local_id] = i.frame.variables[s.variable][0] < (scalar(s.value, i) & s.number); });
      done |= running & ~going;
      running = run(s.bodies[0], going, inner) | inner.continued;
      inner.continued.reset();
      each(running, [&](Item &i) { ++i.frame.variables[s.variable][0]; });
    }
    exits.returned |= inner.returned;
    return done | inner.broken;
  }

  Mask count_down(const Statement &s, const Mask &mask, Exits &exits) {
    Mask running = mask, done;
    Exits inner;
    each(mask, [&](Item &i) { i.frame.variables[s.variable][0] = s.number; });
    while (running.any()) {
      const Mask after = run(s.bodies[0], running, inner) | inner.continued;
      inner.continued.reset();
      running.reset();
      each(after, [&](Item &i) { running[i.local_id] = --i.frame.variables[s.variable][0] > 0 && scalar(s.value, i) != 0; });
      done |= after & ~running;
    }
    exits.returned |= inner.returned;
    return done | inner.broken;
  }

  Mask select_case(const Statement &s, const Mask &mask, Exits &exits) {
    std::vector<Mask> chosen(s.bodies.size());
    each(mask, [&](Item &i) {
      const auto label = std::find(s.labels.begin(), s.labels.end(), scalar(s.value, i) & kSwitchMask);
      chosen[static_cast<size_t>(label - s.labels.begin())].set(i.local_id);
    });
    Mask falling, done;
    Exits inner;
    for (size_t c = 0; c < s.bodies.size(); ++c) {
      const Mask after = run(s.bodies[c], chosen[c] | falling, inner);
      falling = s.number >> c & 1 ? after : Mask{};
      done |= after & ~falling;
    }
    exits.returned |= inner.returned;
    exits.continued |= inner.continued;
    return done | falling | inner.broken;
  }

  /// Only where all work-items are active.
  void exchange(const Statement &s) {
    std::vector<Value> shared;
    for (Item &item : items_) shared.push_back(evaluate(s.value, item));
    for (Item &item : items_) item.frame.variables[s.variable] = shared[(item.local_id + s.number) % items_.size()];
  }

  void collective(const Statement &s, const Mask &mask) {
    const size_t step = s.scope == Scope::kWorkGroup ? items_.size() : sub_group_size_;
    for (size_t first = 0; first < items_.size(); first += step) {
      std::vector<Item *> members;
      for (size_t i = first; i < std::min(first + step, items_.size()); ++i)
        if (mask[i]) members.push_back(&items_[i]);
      if (!members.empty()) collective(s, members, first);
    }
  }

  void collective(const Statement &s, const std::vector<Item *> &members, size_t first) {
    const Base base = s.value.type.base;
    std::vector<uint64_t> values, indices;
    for (Item *item : members) {
      values.push_back(scalar(s.value, *item));
      indices.push_back(s.collective == Collective::kShuffle ? scalar(s.index, *item) : 0);
    }
    uint64_t total = identity(s.combination, base), ballot = 0, any = 0, all = 1;
    std::vector<Value> results;
    for (size_t m = 0; m < members.size(); ++m) {
      const uint64_t before = total;
      total = combine(s.combination, base, total, values[m]);
      ballot |= uint64_t{values[m] != 0} << (members[m]->local_id - first);
      any |= values[m] != 0;
      all &= values[m] != 0;
      results.push_back({s.collective == Collective::kExclusive ? before : total});
    }
    for (size_t m = 0; m < members.size(); ++m) {
      Value &result = results[m];
      switch (s.collective) {
      case Collective::kReduce: result[0] = total; break;
      case Collective::kAll: result[0] = all; break;
      case Collective::kAny: result[0] = any; break;
      case Collective::kBallot: result[0] = ballot; break;
      case Collective::kShuffle: result[0] = values[indices[m] % members.size()]; break;
      case Collective::kBroadcast: result[0] = values[broadcast_from(s, members.size())]; break;
      default: break;
      }
      members[m]->frame.variables[s.variable] = result;
    }
  }

  size_t broadcast_from(const Statement &s, size_t members) {
    if (s.scope == Scope::kSubGroup) return s.number % members;
    return (s.number % size_[2] * size_[1] + s.number % size_[1]) * size_[0] + s.number % size_[0];
  }

  [[nodiscard]] uint32_t input(size_t index) const { return index < kInputs ? in_[index] : 0; }

  const Program &program_;
  Results &results_;
  size_t sub_group_size_;
  std::array<uint32_t, kInputs> in_;
  std::vector<uint8_t> picture_;
  uint32_t group_id_ = 0;
  std::array<size_t, 3> first_{}, size_{};
  std::vector<Item> items_;
};

}  // namespace

std::array<uint32_t, kInputs> inputs() {
  std::array<uint32_t, kInputs> values{};
  for (uint32_t i = 0; i < kInputs; ++i) values[i] = i % 5 == 0 ? i : i * 2654435761u;
  return values;
}

std::vector<uint8_t> heap(const Program &program) {
  size_t bytes = 0;
  for (const Region &region : program.regions) bytes += region_bytes(region);
  std::vector<uint8_t> made(bytes);
  // Small exponents: no float is NaN, whose bits a copy may change.
  for (size_t i = 0; i < bytes; ++i) made[i] = static_cast<uint8_t>((i * 2654435761u >> 13) & (i % 4 == 3 ? 0x3f : 0xff));
  return made;
}

Results interpret(const Program &program, size_t sub_group_size) {
  Results results;
  results.outputs.resize(program.global[0] * program.global[1] * program.global[2] * program.variables.size());
  results.heap = heap(program);
  if (program.canvas) results.canvas = texels(*program.canvas);
  const auto group = std::make_unique<Group>(program, results, sub_group_size);
  std::array<size_t, 3> first{};
  uint32_t id = 0;
  for (first[2] = 0; first[2] < program.global[2]; first[2] += program.local[2])
    for (first[1] = 0; first[1] < program.global[1]; first[1] += program.local[1])
      for (first[0] = 0; first[0] < program.global[0]; first[0] += program.local[0]) {
        std::array<size_t, 3> size{};
        for (size_t d = 0; d < 3; ++d) size[d] = std::min(program.local[d], program.global[d] - first[d]);
        group->run(id++, first, size);
      }
  return results;
}

}  // namespace upsweep::fuzz
