"""Where batches run: here, in processes, or on a Dask cluster. Any executor of concurrent.futures will do."""
from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from time import monotonic
from typing import Any

from ..errors import InputError, UnableError
from .batches import run_batch

Answer = dict[str, Any]
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


class SerialExecutor(Executor):
    """Runs each task when it is submitted, in this process."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class Interrupt:
    """An interrupt that is not lost: where a callback in C swallows KeyboardInterrupt, `check` raises it again."""

    def __init__(self) -> None:
        self.asked = False

    def check(self) -> None:
        if self.asked:
            raise KeyboardInterrupt

    @contextmanager
    def watched(self) -> Iterator[None]:
        """While this runs, an interrupt is noted and raised."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        def note(number: int, frame: Any) -> None:
            self.asked = True
            raise KeyboardInterrupt

        former = signal.signal(signal.SIGINT, note)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, former)


def _quiet() -> None:
    """Interrupts are for the process that holds the finds."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _single_threads() -> Iterator[None]:
    """Processes that start meanwhile have one thread each for linear algebra: they share the cores already."""
    former = {name: os.environ.get(name) for name in THREADS}
    os.environ.update(dict.fromkeys(THREADS, "1"))
    try:
        yield
    finally:
        for name, value in former.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


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
            with _single_threads():
                yield pool
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    else:
        yield SerialExecutor()


def collected(executor: Executor, tasks: list[dict[str, Any]], proposing: Callable[[], bool], end: float | None,
              show: Callable[[list[Answer]], None]) -> list[Answer]:
    """Answers of a round, in the order in which they come; with a deadline, those that came in time."""
    answers: list[Answer] = []
    if isinstance(executor, SerialExecutor):
        for task in tasks:
            if answers and not proposing():
                break
            answers.append(run_batch(task))
            show(answers)
        return answers
    futures: dict[Future[Any], dict[str, Any]] = {}
    for task in tasks:
        try:
            futures[executor.submit(run_batch, task)] = task
        except BrokenExecutor:
            answers.append(run_batch(task))
    waiting = set(futures)
    try:
        while waiting:
            done, waiting = wait(waiting, timeout=0.5)
            answers += [_answer(future, futures[future]) for future in done]
            show(answers)
            if end is not None and not proposing() and (answers or monotonic() > end):
                break
    finally:
        for future in waiting:
            future.cancel()
    return answers


def _answer(future: Future[Any], task: dict[str, Any]) -> Answer:
    """The answer of a batch; if its worker died the batch is run here, with the same result."""
    try:
        answer: Answer = future.result()
    except (BrokenExecutor, OSError):
        answer = run_batch(task)
    return answer
