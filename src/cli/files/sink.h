// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The destination of a result's elements: an .npy file or a table of text, which a separate thread writes, and the summary at
// the terminal.
#ifndef UPSWEEP_CLI_FILES_SINK_H
#define UPSWEEP_CLI_FILES_SINK_H

#include "cli/files/array.h"
#include "cli/files/output.h"

#include <array>
#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace upsweep::cli {

class Sink {
public:
  // Without a path there is no file. The result has `dimensions` dimensions. Names that end in .csv, .tsv and .txt are text.
  // "-", standard output, gets text if the input is text, otherwise .npy. The null device accepts everything. Replacing an
  // input with several columns is refused, since the result has one.
  static Result<std::unique_ptr<Sink>> create(const std::filesystem::path &path, ElementType type, size_t dimensions,
                                              const Array &input, const Array *other_input = nullptr);
  // Shows and writes elements as the texts whose indices they are. The file must be text.
  Result<void> show_texts(std::shared_ptr<const std::vector<std::string>> texts);
  Sink(const Sink &) = delete;
  Sink &operator=(const Sink &) = delete;
  ~Sink();

  // For a large result that is committed in its order (OutputFile::write_directly).
  void write_directly();

  // A buffer for the next commit(), aligned to a cache line.
  std::byte *room(size_t bytes);
  // Stores the elements at `from`, which is in the latest buffer from room(), as elements of the result from `index`. Writing
  // continues in the background. A failure may be that of an earlier piece.
  Result<void> commit(size_t index, const std::byte *from, size_t n);

  // Waits for all writes, and sets the file's shape and name.
  Result<void> finish(const std::vector<size_t> &shape, bool is_fortran = false);

  [[nodiscard]] ElementType type() const { return type_; }
  // Bytes of `count` elements in the file; 0 without a file.
  [[nodiscard]] size_t stored_bytes(size_t count) const { return file_ ? count * type_.bytes() : 0; }
  // The first and last elements of `count`: "[1 2 3 ... 7 8 9]".
  [[nodiscard]] std::string view(size_t count) const;
  // The text of an element, which must be among the first.
  [[nodiscard]] std::string element(size_t index) const { return format(&first_[index * type_.bytes()]); }

private:
  struct Piece {
    uint64_t offset;
    const std::byte *from;
    size_t bytes;
  };
  static constexpr size_t kShown = 4;  // elements at each end

  Sink(std::unique_ptr<OutputFile> file, ElementType type, size_t data_offset);
  [[nodiscard]] std::string format(const std::byte *element) const;
  [[nodiscard]] std::string field(const std::byte *element) const;  // the text of an element in a text file
  void keep_ends(size_t index, const std::byte *from, size_t n);
  void write_pieces();
  void stop();

  std::unique_ptr<OutputFile> file_;  // for a text result, an unnamed file of the elements
  std::unique_ptr<OutputFile> text_;  // the table that is written from it at the end
  char separator_ = ',';
  std::shared_ptr<const std::vector<std::string>> texts_;
  const ElementType type_;
  const size_t data_offset_;
  std::array<std::vector<std::byte>, 2> rooms_;
  size_t next_room_ = 0;
  std::array<std::byte, 2 * kShown * 8> first_{};
  std::vector<std::pair<size_t, std::array<std::byte, 8>>> last_;  // of the elements with the highest indices

  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Piece> piece_;  // the piece being written
  bool is_ending_ = false;
  Result<void> written_;
  std::thread thread_;
};

}  // namespace upsweep::cli
#endif
