"""Where batches run: here, in processes, or on a Dask cluster. Any executor of concurrent.futures will do."""
from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any

from ..errors import InputError, UnableError


class SerialExecutor(Executor):
    """Runs each task when it is submitted, in this process."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def _quiet() -> None:
    """Interrupts are for the process that holds the finds."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def executor_for(workers: int = 1, dask: str | None = None) -> Iterator[Executor]:
    """An executor: serial for one worker, processes for more, a cluster for an address."""
    if dask is not None:
        try:
            from distributed import Client
        except ImportError:
            raise UnableError("--dask needs the package distributed: pip install 'attention-certify[dask]'") from None
        try:
            client: Any = Client(dask, timeout="10s")  # type: ignore[no-untyped-call]
        except (OSError, TimeoutError, ValueError) as error:
            raise InputError(f"--dask {dask}: no scheduler answers there ({error})") from None
        with client:
            yield client.get_executor()
    elif workers > 1:
        from multiprocessing import get_context
        pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_quiet)
        try:
            yield pool
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    else:
        yield SerialExecutor()
