// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// main() of a libFuzzer target without libFuzzer: passes it each file of the folders on the command line.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int count, char **folders) {
  int files = 0;
  for (int i = 1; i < count; ++i)
    for (const auto &entry : std::filesystem::directory_iterator(folders[i])) {
      std::ifstream in(entry.path(), std::ios::binary);
      const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
      LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
      ++files;
    }
  std::printf("%d inputs\n", files);
  return files > 0 ? 0 : 1;
}
