"""Blocking work for tasks of asyncio: it runs in threads, and ends where its task is cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from contextvars import copy_context
from functools import partial
from typing import ParamSpec, TypeVar

from kgdb.graph.connection.cancellation import Cancellation

_P = ParamSpec("_P")
_R = TypeVar("_R")


async def in_thread(
    threads: Executor, work: Callable[_P, _R], *args: _P.args, **kwargs: _P.kwargs
) -> _R:
    """Run blocking work in one of the threads, with the context variables of the task.

    Where the task is cancelled meanwhile, the work ends before its next call of the database or of
    a model, and the statement that it waits for is ended in the database. Only then the task ends.
    """
    cancellation = Cancellation()
    with cancellation.covering():
        context = copy_context()
    loop = asyncio.get_running_loop()
    try:
        return await loop.run_in_executor(
            threads, partial(context.run, partial(work, *args, **kwargs))
        )
    except asyncio.CancelledError:
        await cancelled(cancellation)
        raise


async def cancelled(cancellation: Cancellation) -> None:
    """Call work off, beside the threads that may all be busy with such work."""
    loop = asyncio.get_running_loop()
    await asyncio.shield(loop.run_in_executor(None, cancellation.cancel))
