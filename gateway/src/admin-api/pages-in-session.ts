import type { Clock } from '@tollgate/runtime/clock';
import type { FastifyRequest } from 'fastify';
import type { OpenSession } from './session.ts';

/** Half of what an actor token lives. */
export const SESSION_CHECK_INTERVAL_MS = 30_000;

/**
 * The pages of something long, one after the other, each asked for when it is wanted. The session is checked again before a page that comes later
 * than that: anyone who was removed meanwhile gets no more. Throws what `readPage` or accounts reject.
 */
export async function* pagesInSession<Page extends { next_cursor: string | null }>(
  request: FastifyRequest,
  readPage: (position: { cursor?: string }) => Promise<Page>,
  { openSession, clock }: { openSession: OpenSession; clock: Clock },
): AsyncGenerator<Page, void, void> {
  let checkedAt = clock.now();
  let cursor: string | null = null;
  do {
    if (clock.now() - checkedAt >= SESSION_CHECK_INTERVAL_MS) {
      request.session = await openSession(request);
      checkedAt = clock.now();
    }
    const page: Page = await readPage(cursor === null ? {} : { cursor });
    yield page;
    cursor = page.next_cursor;
  } while (cursor !== null);
}
