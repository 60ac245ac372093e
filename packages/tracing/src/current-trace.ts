import { AsyncLocalStorage } from 'node:async_hooks';
import type { TraceContext } from './trace-context.ts';

const storage = new AsyncLocalStorage<TraceContext | null>();

/** The trace of the operation that calls this; null if it is part of none. */
export function currentTrace(): TraceContext | null {
  return storage.getStore() ?? null;
}

/** Runs this, and everything that it starts, as a part of the trace. Null for work that serves many operations, or none. */
export function runInTrace<Result>(trace: TraceContext | null, run: () => Result): Result {
  return trace === currentTrace() ? run() : storage.run(trace, run);
}
