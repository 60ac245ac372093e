import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '@tollgate/contracts/accounts/actor';
import { type RpcContract, rpcSubject } from '@tollgate/contracts/platform/rpc-contract';
import type { IdempotencyStore } from '@tollgate/store/idempotency-store';
import { describe, expect, it } from 'vitest';
import type { ServiceHarness } from './service-harness.ts';

/** A creation that takes an idempotency key. */
export interface IdempotentOperation<Reply> {
  harness: Pick<ServiceHarness, 'call'>;
  idempotency: IdempotencyStore;
  actor: Actor;
  method: RpcContract<'member' | 'member-or-token'>;
  request: object;
  /** Another valid request. */
  other: object;
  newId(): string;
  idOf(reply: Reply): string;
  /** What a replay returns after this first reply: the resource without its secret. */
  replayOf(reply: Reply): Reply;
}

/** Declares what holds for every creation with an idempotency key. Each test arranges a new operation. */
export function describeIdempotency<Reply>(
  name: string,
  arrange: () => Promise<IdempotentOperation<Reply>>,
): void {
  describe(`${name} with an idempotency key`, () => {
    it('a request creates one resource, and returns it again without its secret', async () => {
      const operation = await arrange();
      const first = await create(operation);
      expect(first.isReplay).toBe(false);
      expect(await create(operation)).toEqual({ reply: operation.replayOf(first.reply), isReplay: true });
    });

    it('a key is rejected with another request', async () => {
      const operation = await arrange();
      await create(operation);
      const reused = create({ ...operation, request: operation.other });
      await expect(reused).rejects.toThrow('idempotency-key-reused');
    });

    it('concurrent requests create one resource with one secret', async () => {
      const operation = await arrange();
      const created = await Promise.all(Array.from({ length: 8 }, () => create(operation)));
      const replies = created.map(({ reply }) => reply);
      expect(new Set(replies.map(operation.idOf)).size).toBe(1);
      const withSecret = replies.filter((reply) => !isDeepStrictEqual(reply, operation.replayOf(reply)));
      expect(withSecret.length).toBeLessThanOrEqual(1);
    });

    it('a request creates the resource that a crashed request had reserved the key for', async () => {
      const operation = await arrange();
      const { actor, method, request } = operation;
      const crashed = { actor, key: 'k', operation: rpcSubject(method), request, markReplayed() {} };
      const reserved = await operation.idempotency.reserve(crashed, operation.newId());
      const { reply, isReplay } = await create(operation);
      expect({ id: operation.idOf(reply), isReplay }).toEqual({ id: reserved, isReplay: false });
      expect((await create(operation)).isReplay).toBe(true);
    });
  });
}

async function create<Reply>({ harness, actor, method, request }: IdempotentOperation<Reply>) {
  let isReplay = false;
  const onReplayed = () => {
    isReplay = true;
  };
  const reply = await harness.call(actor, method, request, { idempotencyKey: 'k', onReplayed });
  return { reply: reply as Reply, isReplay };
}
