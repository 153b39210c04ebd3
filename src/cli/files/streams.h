// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays in files and results as the streams of upsweep/external.
#ifndef UPSWEEP_CLI_FILES_STREAMS_H
#define UPSWEEP_CLI_FILES_STREAMS_H

#include "cli/files/key_codec.h"
#include "cli/files/mapping.h"
#include "cli/files/memory.h"
#include "cli/files/output.h"
#include "cli/files/progress.h"
#include "cli/files/sink.h"

#include <algorithm>
#include <stdexcept>
#include <upsweep/external/stream.h>

namespace upsweep::cli {

// A failure of a stream, which ends the library's call.
class StreamError : public std::runtime_error {
public:
  explicit StreamError(const Error &error) : std::runtime_error(error) {}
};

// An element with its key, as numbers of 64 bits.
struct KeyAndValue {
  uint64_t key, value;
};

// Streams run on threads of their own, which leave the processors' pool to the sort: pieces that are this short use no other
// thread.
constexpr size_t kStreamPiece = size_t{1} << 14;

// The keys of an array.
template <class T>
class KeySource {
public:
  KeySource(const Array &array, const KeyCodec &codec)
      : reader_(array), file_(array.file), codec_(codec), count_(array.count) {}

  uint64_t read(T *to, uint64_t n) {
    n = std::min<uint64_t>(n, count_ - at_);
    for (uint64_t done = 0, piece = 0; done < n; done += piece) {
      piece = std::min<uint64_t>(kStreamPiece, n - done);
      codec_.load(reader_, at_ + done, piece, reinterpret_cast<std::byte *>(to + done));
    }
    at_ += n;
    if (file_) file_->give_back();  // a merge has many sources
    return n;
  }

private:
  Reader reader_;
  std::shared_ptr<const Mapping> file_;
  const KeyCodec &codec_;
  uint64_t count_, at_ = 0;
};

// The keys of `by`, each with its index or with the element of `array`.
class PairSource {
public:
  PairSource(const Array *array, const Array &by, const KeyCodec &codec);
  uint64_t read(KeyAndValue *to, uint64_t n);

private:
  Reader key_reader_;
  std::optional<Reader> reader_;
  const KeyCodec &codec_;
  uint64_t count_, at_ = 0;
  size_t value_bytes_ = 0;
  std::vector<uint64_t> keys_ = std::vector<uint64_t>(kStreamPiece);
  std::vector<std::byte> room_;
};

// A result in order; convert(from, n, to) makes its elements.
template <class T, class Convert>
class ResultSink {
public:
  ResultSink(Sink &sink, Convert convert) : sink_(sink), convert_(std::move(convert)) {}

  void write(const T *from, uint64_t n) {
    std::byte *to = sink_.room(n * sink_.type().bytes());
    for (uint64_t done = 0, piece = 0; done < n; done += piece) {
      piece = std::min<uint64_t>(kStreamPiece, n - done);
      convert_(from + done, piece, to + done * sink_.type().bytes());
    }
    if (auto stored = sink_.commit(at_, to, n); !stored) throw StreamError(stored.error());
    at_ += n;
  }

private:
  Sink &sink_;
  Convert convert_;
  uint64_t at_ = 0;
};

// The settings of a call for a result at `out`, beside which its temporary files are.
external::settings external_settings(const std::filesystem::path &out, uint64_t count, Progress &progress);

}  // namespace upsweep::cli
#endif
