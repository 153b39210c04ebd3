# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from typing import Any, Sequence

__all__ = ["load_ipython_extension", "run"]

def run(source: str, *arguments: Any, options: Sequence[str] = ()) -> str: ...
def load_ipython_extension(shell: Any) -> None: ...
