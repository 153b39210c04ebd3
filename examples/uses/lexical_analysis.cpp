// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lexical analysis (Hillis and Steele 1986): each character is a map between the states of an automaton, and a scan of maps
// gives the state behind every character. The begins of tokens are compacted.
#include "report.h"

#include <upsweep/cpu/select.h>
#include <upsweep/opencl/select.h>

#include <numeric>

namespace {

// States: 0 space, 1 word, 2 number, 3 text in quotes, 4 its end, 5 any other character. A map has four bits for each state:
// the state that it becomes.
// clang-format off
USES_SHARED(kMaps,
inline uint next(uint state, uchar c) {
  if (state == 3) return c == '"' ? 4 : 3;
  if (c == '"') return 3;
  if (c == ' ') return 0;
  if (c >= '0' && c <= '9') return state == 1 ? 1 : 2;
  return c >= 'a' && c <= 'z' ? 1 : 5;
}
inline uint map_of(uchar c) {
  uint map = 0;
  for (uint state = 0; state < 6; ++state) map |= next(state, c) << 4 * state;
  return map;
}
inline uint compose(uint first, uint then) {
  uint map = 0;
  for (uint state = 0; state < 6; ++state) map |= (then >> 4 * (first >> 4 * state & 15) & 15) << 4 * state;
  return map;
}
inline uchar from_space(uint map) { return map & 15; }
inline uchar begins(uint before, uint state) { return state == 5 || (state != before && state != 0 && state != 4); }
)
// clang-format on

std::string text_of(std::size_t n) {
  constexpr char kLetters[] = {'a', 'x', 'z', '1', '7', ' ', ' ', '+', '('};
  std::mt19937 engine(1);
  std::string text(n, ' ');
  for (char &c : text) {
    c = engine() % 40 == 0 ? '"' : kLetters[engine() % sizeof kLetters];
  }
  return text;
}

// The places of all tokens.
std::vector<uint> sequential(const std::string &text) {
  std::vector<uint> places;
  uint state = 0;
  for (uint i = 0; i < text.size(); ++i) {
    const uint before = state;
    state = next(state, static_cast<uchar>(text[i]));
    if (begins(before, state) != 0) {
      places.push_back(i);
    }
  }
  return places;
}

}  // namespace

int main(int argc, char **argv) {
  const std::size_t n = uses::elements(argc, argv);
  const std::string text = text_of(n);
  const auto *characters = reinterpret_cast<const uchar *>(text.data());
  const auto expected = sequential(text);
  std::vector<uint> numbers(n), places(n);
  std::iota(numbers.begin(), numbers.end(), 0U);
  uses::Report report(argc, argv, "lexical analysis", n + 4 * expected.size());

  std::vector<uchar> states(n), flags(n);
  std::size_t count = 0;
  report.by_threads(
      [&] {
        uses::cpu::inclusive_scan(characters, states.data(), n, compose, uses::cpu::transform_input(map_of),
                                  uses::cpu::transform_output(from_space));
        uses::for_all(n, [&](std::size_t i) { flags[i] = begins(i > 0 ? states[i - 1] : 0, states[i]); });
        uses::cpu::select_by_flag(numbers.data(), flags.data(), places.data(), &count, n);
      },
      [&] { return std::vector(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(count)) == expected; });

  report.on_devices([&](uses::Device &device) {
    const auto in = device.array(n, characters), states = device.array<uchar>(n), flags = device.array<uchar>(n);
    const auto numbered = device.array(numbers), found = device.array<uint>(n), count = device.array<uint>(1);
    cl_kernel mark = device.kernel(std::string(kMaps) + "kernel void mark(global const uchar *states, global uchar *flags) {"
                                                        "  const size_t i = get_global_id(0);"
                                                        "  flags[i] = begins(i > 0 ? states[i - 1] : 0, states[i]); }");
    const auto run = [=, &device] {
      const uses::up::operation op("compose", "", "0x543210U");
      uses::require(uses::up::inclusive_scan(in, states, n, op, device, uses::up::accumulator<uint>(),
                                             uses::up::transform_input({"map_of", kMaps}),
                                             uses::up::transform_output({"from_space", ""})));
      device.launch(mark, n, states, flags);
      uses::require(uses::up::select_by_flag(numbered, flags, found, count, n, device));
    };
    return std::pair(run,
                     [=, &device, &expected] { return device.read<uint>(found, device.read<uint>(count, 1)[0]) == expected; });
  });
  return report.status();
}
