import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { IdempotentCall } from '@tollgate/contracts/platform/idempotent-call';
import { Problem } from '@tollgate/contracts/platform/problem';
import { isDuplicateKey } from './duplicate-key.ts';
import type { IdempotencyStore, KeyedCall } from './idempotency-store.ts';

export interface Creation<Resource> {
  newId(): string;
  idOf(resource: Resource): string;
  /** The resource as it is now, without its secret; null if it is missing. */
  find(id: string): Promise<Resource | null>;
  /**
   * Checks the request, then reserves the id, then creates the resource with it: a rejected request binds no key. Throws
   * if the resource exists.
   */
  create(reserveId: () => Promise<string>): Promise<Resource>;
}

/**
 * Creates one resource, however often the call is repeated with its idempotency key. A repeated call returns the resource
 * and marks the reply as replayed. `call` is null without a key. Throws `idempotency-key-reused`, `conflict` if the
 * resource was deleted, and whatever `create` throws.
 */
export async function createOnce<Resource>(
  { idempotency }: { idempotency: IdempotencyStore },
  actor: Actor,
  call: IdempotentCall | null,
  creation: Creation<Resource>,
): Promise<Resource> {
  if (call === null) return creation.create(async () => creation.newId());
  const keyed = { ...call, actor };
  const earlier = await findCreated(idempotency, keyed, creation);
  if (earlier !== null) return earlier;
  try {
    const created = await creation.create(() => idempotency.reserve(keyed, creation.newId()));
    // The caller must get the secret. Without this mark, a repeated call still finds the resource.
    await idempotency.complete(keyed, creation.idOf(created)).catch(() => undefined);
    return created;
  } catch (error) {
    // A concurrent call with the same key may have been first, so that this one got a conflict or a duplicate key.
    const concurrent = await findCreated(idempotency, keyed, creation);
    if (concurrent !== null) return concurrent;
    throw isDuplicateKey(error) ? deleted() : error;
  }
}

async function findCreated<Resource>(
  idempotency: IdempotencyStore,
  call: KeyedCall,
  { find }: Creation<Resource>,
): Promise<Resource | null> {
  const reservation = await idempotency.find(call);
  if (reservation === null) return null;
  const { resource_id, completed } = reservation;
  const resource = await find(resource_id);
  if (resource === null) {
    if (completed) throw deleted();
    return null;
  }
  if (!completed) await idempotency.complete(call, resource_id);
  call.markReplayed();
  return resource;
}

/** Thrown by a `create` that finds the resource: `createOnce` then returns it as a replay. */
export function alreadyCreated(): Problem {
  return new Problem('conflict', 'A concurrent request with the same Idempotency-Key created the resource.');
}

function deleted(): Problem {
  return new Problem(
    'conflict',
    'The resource that was created with this Idempotency-Key no longer exists. Use a new key to create another one.',
  );
}
