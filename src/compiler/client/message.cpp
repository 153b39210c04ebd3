// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory files, and messages that carry descriptors.
#include "compiler/client/protocol.h"

#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <cassert>
#include <cerrno>
#include <cstring>

namespace upsweep::compiler {

constexpr size_t kMaxDescriptors = 2;

UniqueFd make_memory_file(ByteSpan bytes) {
  UniqueFd fd(memfd_create("upsweep", MFD_CLOEXEC));
  while (fd && !bytes.empty()) {
    ssize_t n = write(fd.get(), bytes.data(), bytes.size());
    if (n < 0 && errno != EINTR) return UniqueFd();
    bytes = bytes.subspan(n > 0 ? n : 0);
  }
  return fd;
}

MappedFile::MappedFile(int fd) {
  struct stat status = {};
  if (fd < 0 || fstat(fd, &status) != 0) return;
  auto size = static_cast<size_t>(status.st_size);
  if (size == 0) {
    ok_ = true;
    return;
  }
  void *data = mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
  if (data == MAP_FAILED) return;
  bytes_ = {static_cast<const uint8_t *>(data), size};
  ok_ = true;
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) munmap(const_cast<uint8_t *>(bytes_.data()), bytes_.size());
}

bool send_message(int socket, ByteSpan bytes, std::span<const int> descriptors, Full full) {
  assert(descriptors.size() <= kMaxDescriptors && "a message carries at most two descriptors");
  iovec part = {const_cast<uint8_t *>(bytes.data()), bytes.size()};
  alignas(cmsghdr) char control[CMSG_SPACE(kMaxDescriptors * sizeof(int))] = {};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (!descriptors.empty()) {
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
    cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(descriptors.size_bytes());
    std::memcpy(CMSG_DATA(header), descriptors.data(), descriptors.size_bytes());
  }
  ssize_t n = 0;
  const int flags = MSG_NOSIGNAL | (full == Full::kDrop ? MSG_DONTWAIT : 0);
  do n = sendmsg(socket, &message, flags);
  while (n < 0 && errno == EINTR);
  return n == static_cast<ssize_t>(bytes.size());
}

ssize_t receive_message(int socket, std::span<uint8_t> bytes, std::span<UniqueFd> descriptors) {
  iovec part = {bytes.data(), bytes.size()};
  alignas(cmsghdr) char control[CMSG_SPACE(kMaxDescriptors * sizeof(int))] = {};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof(control);
  ssize_t n = 0;
  do n = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  while (n < 0 && errno == EINTR);
  if (n < 0) return n;
  for (cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(header) + i * sizeof(int), sizeof(int));
      UniqueFd owner(fd);  // surplus descriptors are closed here
      if (i < descriptors.size()) descriptors[i] = std::move(owner);
    }
  }
  return n;
}

}  // namespace upsweep::compiler
