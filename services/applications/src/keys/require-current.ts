import { Problem } from '@tollgate/contracts/platform/problem';
import { type ApiKey, statusOf } from './api-key.ts';

/** Throws `conflict` for a key that ended or was replaced. `change` names what the caller wants, as in "can be …". */
export function requireCurrent(key: ApiKey, now: Date, change: { done: string; todo: string }): void {
  const status = statusOf(key, now);
  if (status !== 'active') {
    throw new Problem(
      'conflict',
      `The key is ${status}. Only an active key can be ${change.done}. Create a new key instead.`,
    );
  }
  if (key.rotated_to) {
    throw new Problem(
      'conflict',
      `The key was already replaced by ${key.rotated_to}. ${change.todo} that key instead.`,
    );
  }
}
