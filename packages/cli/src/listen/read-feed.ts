import { setTimeout as wait } from 'node:timers/promises';
import type { AdminClient } from '@tollgate/admin-client/admin-client';
import type { RouteReply, RouteRequest } from '@tollgate/contracts/admin-api/route';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { MAX_FEED_WAIT_S } from '@tollgate/contracts/webhooks/rpc';
import type { WebhookEvent } from '@tollgate/contracts/webhooks/webhook';
import { ConnectionFailed } from '../api/api-client.ts';
import { RequestRejected } from '../api/request-rejected.ts';

const FIRST_DELAY_MS = SECOND_MS / 4;
const MAX_DELAY_MS = 10 * SECOND_MS;
/** Few, so that a lost connection costs little. */
const PAGE_SIZE = 25;

type FeedPage = RouteReply<typeof ADMIN_ROUTES.listEvents>;

export interface FeedOptions {
  environment: Environment;
  applicationId: string | undefined;
  /** Starts after this event. Absent: with the next one that happens. */
  from: string | undefined;
  signal: AbortSignal;
  onConnected(): void;
  onDisconnected(error: Error): void;
}

/**
 * The events of a team as they happen, until the signal aborts. Continues where it was when the connection returns.
 *
 * @throws RequestRejected when repeating does not help, such as for a revoked token
 */
export async function* readFeed(api: AdminClient, options: FeedOptions): AsyncGenerator<WebhookEvent> {
  const { environment, applicationId: application_id, from = 'newest', signal } = options;
  let position: Pick<RouteRequest<typeof ADMIN_ROUTES.listEvents>, 'after' | 'cursor'> = { after: from };
  let waitS = 0;
  let failures = 0;
  while (!signal.aborted) {
    try {
      const page: FeedPage = await api.call(
        ADMIN_ROUTES.listEvents,
        { order: 'asc', environment, application_id, limit: PAGE_SIZE, wait: waitS, ...position },
        { signal },
      );
      if (waitS === 0 || failures > 0) options.onConnected();
      failures = 0;
      // The first request does not wait: from its response on, no event is missed.
      waitS = MAX_FEED_WAIT_S;
      yield* page.data;
      position = { cursor: page.next_cursor as string };
    } catch (error) {
      if (signal.aborted) return;
      if (!isTemporary(error)) throw error;
      if (failures === 0) options.onDisconnected(error as Error);
      const delayMs = Math.min(FIRST_DELAY_MS * 2 ** failures, MAX_DELAY_MS);
      failures += 1;
      await wait(delayMs, null, { signal }).catch(() => null);
    }
  }
}

function isTemporary(error: unknown): boolean {
  if (error instanceof ConnectionFailed) return true;
  return error instanceof RequestRejected && (error.status >= 500 || error.status === 429);
}
