import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import { Problem } from '@tollgate/contracts/platform/problem';
import { RPC_DEADLINE_MS } from '@tollgate/contracts/platform/rpc-contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createOpenSlots } from './open-slots.ts';
import { actorIdOf } from './session.ts';

/** A reader has one at a time. Each holds a connection, and has a service look for something new twice a second. */
export const MAX_WAITS_PER_ACTOR = 10;
const RETRY_AFTER_S = 1;

export interface Waits {
  /**
   * Runs a call that may wait for something for `waitS` seconds beyond the usual deadline. Throws `rate-limited` if many of
   * this member or API token wait, and `unavailable` when the gateway stops.
   */
  run<Result>(
    request: FastifyRequest,
    waitS: number,
    call: (options: { deadlineMs: number }) => Promise<Result>,
  ): Promise<Result>;
}

export function createWaits(app: FastifyInstance): Waits {
  const slots = createOpenSlots('waiting requests');
  const stopping = new AbortController();

  // A wait would otherwise take most of the time that the shutdown has.
  app.addHook('preClose', (done) => {
    stopping.abort();
    done();
  });

  return {
    async run({ session }, waitS, call) {
      if (session === null) throw new Error('A wait requires a session.');
      const giveBack = slots.take({ [actorIdOf(session)]: MAX_WAITS_PER_ACTOR });
      try {
        return await unlessAborted(
          call({ deadlineMs: RPC_DEADLINE_MS + waitS * SECOND_MS }),
          stopping.signal,
        );
      } finally {
        giveBack();
      }
    },
  };
}

function unlessAborted<Result>(result: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = () =>
      reject(
        new Problem('unavailable', 'This gateway is shutting down. Retry.', { retryAfterS: RETRY_AFTER_S }),
      );
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
