import { mongoError } from '../bson/mongo-error.ts';
import type { CommandRequest } from './command.ts';
import { readCount } from './fields.ts';

/** `maxTimeMS`, counted from now: gives a check that throws MaxTimeMSExpired once it is over. */
export function deadlineOf(request: CommandRequest): (() => void) | undefined {
  const maxTimeMs = readCount(request, 'maxTimeMS') ?? 0;
  if (maxTimeMs === 0) return undefined;
  const endsAt = performance.now() + maxTimeMs;
  return () => {
    if (performance.now() > endsAt) throw mongoError('MaxTimeMSExpired', 'operation exceeded time limit');
  };
}
