# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranks of a process group of torch.distributed: Gloo's, and others' for arrays in host memory, which NCCL copies through the GPU."""

import numpy
import torch
import torch.distributed as dist

from ._ranks import RankError


class Torch:
    def __init__(self, group):
        if not dist.is_available() or not dist.is_initialized():
            raise ValueError("torch.distributed has no process group yet: call torch.distributed.init_process_group")
        self._group = None if group is dist else group
        self.size, self.rank = dist.get_world_size(self._group), dist.get_rank(self._group)
        if self.rank < 0:
            raise ValueError("comm is a process group of which this process is no rank")
        self._device = "cuda" if dist.get_backend(self._group) == "nccl" else "cpu"

    def _guarded(self, action):
        try:
            return action()
        except RuntimeError as error:  # a connection is closed, or the group's time limit is over
            raise RankError(f"torch.distributed: {error}") from error

    def all_gather(self, thing):
        made = [None] * self.size
        self._guarded(lambda: dist.all_gather_object(made, thing, group=self._group))
        return made

    def exchange(self, array, send, to, receive):
        sizes = [[int(count) * array.itemsize for count in counts] for counts in (receive, send)]
        array = array if array.flags.writeable else array.copy()  # PyTorch warns of arrays that it cannot write
        host = [torch.from_numpy(each.view(numpy.uint8)) for each in (to, array)]
        made, from_ = (each.to(self._device) for each in host)
        self._guarded(lambda: dist.all_to_all_single(made, from_, *sizes, group=self._group))
        if made is not host[0]:
            host[0].copy_(made)

    def end(self, message: str) -> None:
        pass  # Gloo's and NCCL's groups notice that a process has ended
