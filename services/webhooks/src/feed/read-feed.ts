import { setTimeout as wait } from 'node:timers/promises';
import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { listEvents } from '@tollgate/contracts/webhooks/rpc';
import type { WebhookEvent } from '@tollgate/contracts/webhooks/webhook';
import { decodeCursor, encodeCursor, invalidCursor } from '@tollgate/store/cursor';
import { createPageBudget } from '@tollgate/store/page-budget';
import type { Static } from 'typebox';
import type { Context } from '../context.ts';
import type { EventFilter } from '../fan-out/event-store.ts';
import { eventToWire } from '../wire.ts';
import { matches } from './feed-store.ts';

const DEFAULT_PAGE_SIZE = 25;
/** Events that one page examines, whatever its filter. */
const MAX_EXAMINED = 1_000;
const POLL_INTERVAL_MS = 500;

type FeedRequest = Pick<Static<typeof listEvents.request>, 'after' | 'cursor' | 'limit' | 'wait'>;

/**
 * Returns the team's events with their bodies, oldest first. The cursor of a page continues after it, also when the page is
 * empty, and stays valid as long as the team exists.
 *
 * @throws Problem `invalid-request` for an unknown cursor, and an event that is not stored
 */
export async function readFeed(
  context: Pick<Context, 'feed' | 'queries' | 'stopping'>,
  teamId: string,
  filter: EventFilter,
  request: FeedRequest,
): Promise<{ data: WebhookEvent[]; next_cursor: string; previous_cursor: null }> {
  const { queries, stopping } = context;
  const deadlineMs = performance.now() + (request.wait ?? 0) * SECOND_MS;
  let position = await queries.run(teamId, () => startOf(context, teamId, request));
  for (;;) {
    const page = await queries.run(teamId, () =>
      pageAfter(context, teamId, position, { filter, limit: request.limit ?? DEFAULT_PAGE_SIZE }),
    );
    ({ position } = page);
    const isOver = performance.now() >= deadlineMs || stopping.aborted;
    if (page.data.length > 0 || isOver) {
      return { data: page.data, next_cursor: encodeCursor(String(position)), previous_cursor: null };
    }
    // With more to examine, there is no reason to wait.
    if (!page.isFull) await wait(POLL_INTERVAL_MS, null, { signal: stopping }).catch(() => null);
  }
}

async function startOf(
  { feed }: Pick<Context, 'feed'>,
  teamId: string,
  { after, cursor }: FeedRequest,
): Promise<number> {
  if (cursor !== undefined) return positionIn(cursor);
  if (after === undefined) return 0;
  if (after === 'newest') return feed.newestPosition(teamId);
  const position = await feed.positionOf(teamId, after);
  if (position === undefined) throw unknownEvent('The event does not exist, or is not stored any more.');
  if (position === null) throw unknownEvent('The event has no place in the feed yet. Retry in a second.');
  return position;
}

function positionIn(cursor: string): number {
  const text = decodeCursor(cursor);
  if (!/^\d{1,15}$/.test(text)) throw invalidCursor();
  return Number(text);
}

/** The next events that match, and the place up to which the feed was examined. */
async function pageAfter(
  { feed }: Pick<Context, 'feed'>,
  teamId: string,
  start: number,
  { filter, limit }: { filter: EventFilter; limit: number },
): Promise<{ data: WebhookEvent[]; position: number; isFull: boolean }> {
  const budget = createPageBudget();
  const data: WebhookEvent[] = [];
  let position = start;
  let examined = 0;
  for await (const event of feed.listAfter(teamId, start, MAX_EXAMINED)) {
    examined += 1;
    if (matches(event, filter)) {
      const row = { ...eventToWire(event), body: event.body };
      if (data.length === limit || !budget.takes(row)) break;
      data.push(row);
    }
    position = event.feed_position;
  }
  return { data, position, isFull: examined === MAX_EXAMINED };
}

/** Throws `invalid-request` for parameters of the feed in another list. */
export function requireNoFeedFields(request: FeedRequest): void {
  const names = (['after', 'wait'] as const).filter((name) => request[name] !== undefined);
  if (names.length === 0) return;
  throw new Problem('invalid-request', 'The parameters of the feed require order=asc.', {
    errors: names.map((name) => ({
      pointer: `/${name}`,
      code: 'invalid' as const,
      detail: 'Only with order=asc.',
    })),
  });
}

function unknownEvent(detail: string): Problem {
  return new Problem('invalid-request', 'The feed cannot start after this event.', {
    errors: [{ pointer: '/after', code: 'invalid', detail }],
  });
}
