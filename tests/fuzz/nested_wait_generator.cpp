// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locks, chains of work-items and barriers at random places of random control flow: in branches and loops on which work-items
// disagree, with breaks, and with returns while a lock is held. Each statement prints itself and counts what it adds.
#include "wait_kernel.h"

#include <memory>
#include <string>
#include <vector>

namespace upsweep::fuzz {
namespace {

// Places in the shared memory.
constexpr int kNumbers = 64, kSums = 128, kFlags = 256;  // behind the locks
constexpr size_t kNumLocks = 4, kMostFlags = 14000;

/// A work-item's state while the host counts.
struct ItemState {
  size_t lid = 0, group = 0;
  std::vector<int> counters;  ///< of the loops around
  unsigned seen = 0;          ///< what the work-item writes to `out`
  std::vector<int> *numbers = nullptr, *sums = nullptr;
};

enum class Flow { kOn, kBreak, kReturn };

struct Statement {
  virtual ~Statement() = default;
  virtual std::string print() const = 0;
  virtual Flow run(ItemState &item) const = 0;
};
using Code = std::vector<std::unique_ptr<Statement>>;

std::string print(const Code &code) {
  std::string text = "{ ";
  for (const auto &statement : code) text += statement->print() + "\n";
  return text + "}";
}

Flow run(const Code &code, ItemState &item) {
  for (const auto &statement : code)
    if (const Flow flow = statement->run(item); flow != Flow::kOn) return flow;
  return Flow::kOn;
}

/// `(lid * a + group * b + counter * c + d) % m < t`; uniform where a is 0.
struct Condition {
  size_t a = 0, b = 0, c = 0, d = 0, m = 1, t = 1;
  int counter = -1;

  std::string print() const {
    return "((lid * " + std::to_string(a) + " + group * " + std::to_string(b) +
           (counter < 0 ? "" : " + i" + std::to_string(counter) + " * " + std::to_string(c)) + " + " + std::to_string(d) +
           ") % " + std::to_string(m) + " < " + std::to_string(t) + ")";
  }
  bool holds(const ItemState &item) const {
    const size_t count = counter < 0 ? 0 : static_cast<size_t>(item.counters[static_cast<size_t>(counter)]);
    return (item.lid * a + item.group * b + count * c + d) % m < t;
  }
};

Condition draw_condition(Random &random, bool is_uniform, size_t loops) {
  Condition drawn{
      is_uniform ? 0 : 1 + pick(random, 5), pick(random, 3), pick(random, 4), pick(random, 9), 2 + pick(random, 6), 1};
  drawn.t = 1 + pick(random, drawn.m - 1);
  if (loops && pick(random, 2)) drawn.counter = static_cast<int>(pick(random, loops));
  return drawn;
}

struct If final : Statement {
  Condition condition;
  Code then, otherwise;
  std::string print() const override {
    return "if (" + condition.print() + ") " + fuzz::print(then) + (otherwise.empty() ? "" : " else " + fuzz::print(otherwise));
  }
  Flow run(ItemState &item) const override { return fuzz::run(condition.holds(item) ? then : otherwise, item); }
};

struct Loop final : Statement {
  size_t number = 0, rounds = 1, differing = 1;  ///< rounds + lid % differing
  Code body;
  std::string print() const override {
    const std::string i = "i" + std::to_string(number);
    return "for (int " + i + " = 0; " + i + " < " + std::to_string(rounds) + " + lid % " + std::to_string(differing) + "; ++" +
           i + ") " + fuzz::print(body);
  }
  Flow run(ItemState &item) const override {
    item.counters.resize(number + 1);
    for (size_t i = 0; i < rounds + item.lid % differing; ++i) {
      item.counters[number] = static_cast<int>(i);
      const Flow flow = fuzz::run(body, item);
      if (flow == Flow::kReturn) return flow;
      if (flow == Flow::kBreak) break;
    }
    return Flow::kOn;
  }
};

struct Leave final : Statement {
  Condition condition;
  bool returns = false;
  std::string print() const override {
    return "if (" + condition.print() + ") " + (returns ? "{ out[gid] = seen; return; }" : "break;");
  }
  Flow run(ItemState &item) const override {
    if (!condition.holds(item)) return Flow::kOn;
    return returns ? Flow::kReturn : Flow::kBreak;
  }
};

/// Text that changes nothing that the host counts: barriers, chains and sub-group functions.
struct Text final : Statement {
  std::string text;
  std::string print() const override { return text; }
  Flow run(ItemState &) const override { return Flow::kOn; }
};

struct Add final : Statement {
  size_t place = 0;
  int added = 1;
  std::string print() const override {
    return "atomic_add(room + " + std::to_string(kSums + place) + ", " + std::to_string(added) + "); seen = seen * 5 + " +
           std::to_string(added) + ";";
  }
  Flow run(ItemState &item) const override {
    (*item.sums)[place] += added;
    item.seen = item.seen * 5 + static_cast<unsigned>(added);
    return Flow::kOn;
  }
};

constexpr const char *kTries[] = {"(atomic_cmpxchg(room + k, 0, 1) == 0)", "(atomic_xchg(room + k, 1) == 0)",
                                  "(atomic_or(room + k, 1) == 0)"};
constexpr const char *kReleases[] = {"atomic_xchg(room + k, 0);", "room[k] = 0;", "atomic_and(room + k, 0);"};
/// `BODY` adds and may return; `FREE` is also where it returns.
constexpr const char *kSections[] = {
    "while (!TRY) {} BODY FREE",
    "for (bool done = false; !done;) if (TRY) { BODY FREE done = true; }",
    "for (;;) if (TRY) { BODY FREE break; }",
    "bool got; do { got = TRY; if (got) { BODY FREE } } while (!got);",
    "for (bool done = false; !done;) { for (int t = 0; t < 3 && !done; ++t) { if (TRY) { BODY FREE done = true; } } }",
};

std::string replaced(std::string text, const std::string &from, const std::string &to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

/// Adds under a lock. The lock's number is that of the work-item, or the same for all.
struct Section final : Statement {
  const char *form = nullptr, *attempt = nullptr, *release = nullptr;
  size_t locks = 1, shift = 0;
  int added = 1;
  bool leaves = false;
  Condition leave;  ///< with the lock returned
  std::string print() const override {
    const std::string fence = "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device); ";
    const std::string add = "room[" + std::to_string(kNumbers) + " + k] = room[" + std::to_string(kNumbers) + " + k] + " +
                            std::to_string(added) + "; ";
    const std::string early = "if (" + leave.print() + ") { " + fence + "FREE out[gid] = seen; return; } ";
    std::string text = replaced(form, "BODY", fence + add + (leaves ? early : "") + fence);
    text = replaced(replaced(text, "FREE", release), "TRY", attempt);
    return "{ const int k = (lid + " + std::to_string(shift) + ") % " + std::to_string(locks) + "; " + text + " }";
  }
  Flow run(ItemState &item) const override {
    (*item.numbers)[(item.lid + shift) % locks] += added;
    return leaves && leave.holds(item) ? Flow::kReturn : Flow::kOn;
  }
};

class Generator {
public:
  Generator(Random &random, size_t items) : random_(random), items_(items) {}
  /// Phases that all work-items reach, and in the last one code in which they may return.
  Code make() {
    Code code;
    for (size_t phases = 1 + pick(random_, 3); phases > 0; --phases) together(code, 0, 0);
    const bool returns = pick(random_, 2) != 0;
    append(code, 0, 0, returns, false);
    return code;
  }

private:
  static std::unique_ptr<Text> text(std::string words) {
    auto made = std::make_unique<Text>();
    made->text = std::move(words);
    return made;
  }
  /// Statements where control is uniform.
  void together(Code &code, size_t depth, size_t loops) {
    append(code, depth + 1, loops, false, false);
    switch (pick(random_, depth < 2 ? 6 : 3)) {
    case 0: code.push_back(text("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);")); break;
    case 1:
      if (loops == 0 && flags_ + items_ < kMostFlags) chain(code);
      break;
    case 2: code.push_back(text("if (sub_group_reduce_max(lid) < 0 || work_group_reduce_add(1) != ITEMS) seen = 77;")); break;
    case 3: {
      auto branch = std::make_unique<If>();
      branch->condition = draw_condition(random_, true, loops);
      together(branch->then, depth + 1, loops);
      if (pick(random_, 2)) together(branch->otherwise, depth + 1, loops);
      code.push_back(std::move(branch));
      break;
    }
    default: {
      auto loop = std::make_unique<Loop>();
      loop->number = loops;
      loop->rounds = 1 + pick(random_, 3);
      together(loop->body, depth + 1, loops + 1);
      code.push_back(std::move(loop));
    }
    }
    if (pick(random_, 2)) append(code, depth + 1, loops, false, false);
  }
  /// Each work-item of a work-group waits for its neighbour, or each group's first one for the group before.
  void chain(Code &code) {
    const std::string base = "room[" + std::to_string(kFlags + flags_);
    const bool up = pick(random_, 2), atomic = pick(random_, 2);
    const std::string other = base + (up ? " + group * ITEMS + lid - 1]" : " + group * ITEMS + lid + 1]");
    const std::string look = atomic ? "atomic_or(&" + other + ", 0)" : other;
    code.push_back(
        text(std::string("if (") + (up ? "lid > 0" : "lid + 1 < ITEMS") + ") while (" + look + " == 0) {} " +
             (atomic ? "atomic_xchg(&" + base + " + group * ITEMS + lid], 1);" : base + " + group * ITEMS + lid] = 1;")));
    flags_ += items_;
  }
  /// Statements on which work-items may disagree.
  void append(Code &code, size_t depth, size_t loops, bool returns, bool in_loop) {
    for (size_t count = 1 + pick(random_, 3); count > 0; --count) code.push_back(statement(depth, loops, returns, in_loop));
  }
  std::unique_ptr<Statement> statement(size_t depth, size_t loops, bool returns, bool in_loop) {
    switch (pick(random_, depth < 4 ? 9 : 5)) {
    case 0: {
      auto add = std::make_unique<Add>();
      add->place = pick(random_, 8);
      add->added = 1 + static_cast<int>(pick(random_, 9));
      return add;
    }
    case 1:
      if (in_loop || returns) {
        auto leave = std::make_unique<Leave>();
        leave->condition = draw_condition(random_, pick(random_, 4) == 0, loops);
        leave->returns = returns && (!in_loop || pick(random_, 2));
        return leave;
      }
      [[fallthrough]];
    case 2:
    case 3:
    case 4: {
      auto section = std::make_unique<Section>();
      section->form = pick_from(random_, kSections);
      section->attempt = pick_from(random_, kTries);
      section->release = pick_from(random_, kReleases);
      section->locks = 1 + pick(random_, kNumLocks);
      section->shift = pick(random_, 4);
      section->added = 1 + static_cast<int>(pick(random_, 9));
      section->leaves = returns && pick(random_, 3) == 0;
      section->leave = draw_condition(random_, false, loops);
      return section;
    }
    case 5:
    case 6: {
      auto branch = std::make_unique<If>();
      branch->condition = draw_condition(random_, pick(random_, 4) == 0, loops);
      append(branch->then, depth + 1, loops, returns, in_loop);
      if (pick(random_, 2)) append(branch->otherwise, depth + 1, loops, returns, in_loop);
      return branch;
    }
    default: {
      auto loop = std::make_unique<Loop>();
      loop->number = loops;
      loop->rounds = 1 + pick(random_, 2);
      loop->differing = 1 + pick(random_, 4);
      append(loop->body, depth + 1, loops + 1, returns, true);
      return loop;
    }
    }
  }

  Random &random_;
  size_t items_, flags_ = 0;  ///< of all work-groups
};

}  // namespace

WaitKernel make_nested(Random &random, const std::string &name) {
  constexpr size_t kLocals[] = {1, 7, 16, 33, 64}, kGroups[] = {1, 2, 5};
  const Shape shape{{pick_from(random, kLocals), 1, 1}, pick_from(random, kGroups)};
  const auto code = std::make_shared<Code>(Generator(random, shape.items() * shape.groups).make());
  const std::string items = std::to_string(shape.items());
  std::string source =
      "#define ITEMS " + items + "\nkernel void " + name +
      "(global int *out, volatile global int *room, volatile local int *here) {\n"
      "  const int lid = get_local_id(0), group = get_group_id(0), gid = get_global_id(0);\n  uint seen = 1;\n  " +
      print(*code) + "\n  out[gid] = seen;\n}\n#undef ITEMS\n";
  auto check = [code, shape](std::span<const int> out, std::span<const int> room) -> std::string {
    std::vector<int> numbers(kNumLocks), sums(8);
    for (size_t i = 0; i < shape.items() * shape.groups; ++i) {
      ItemState item{i % shape.items(), i / shape.items(), {}, 1, &numbers, &sums};
      run(*code, item);
      if (static_cast<unsigned>(out[i]) != item.seen)
        return "differs: work-item " + std::to_string(i) + " has " + std::to_string(out[i]) + ", not " +
               std::to_string(item.seen);
    }
    for (size_t k = 0; k < numbers.size(); ++k)
      if (room[kNumbers + k] != numbers[k])
        return "differs: number " + std::to_string(k) + " is " + std::to_string(room[kNumbers + k]) + ", not " +
               std::to_string(numbers[k]);
    for (size_t k = 0; k < sums.size(); ++k)
      if (room[kSums + k] != sums[k]) return "differs: sum " + std::to_string(k);
    return {};
  };
  return {source, shape, check, false};
}

}  // namespace upsweep::fuzz
