import { type Clock, isYoungerThan } from '@tollgate/runtime/clock';
import type { FastifyRequest } from 'fastify';
import type { OpenSession } from './session.ts';

/** Half the lifetime of an actor token. */
const SESSION_CHECK_INTERVAL_MS = 30_000;

/**
 * Reads pages one by one, on demand. The session is checked again before a page that is read later than that, so that a
 * removed member gets no further pages. Throws the errors of `readPage` and of accounts.
 */
export async function* pagesInSession<Page extends { next_cursor: string | null }>(
  request: FastifyRequest,
  readPage: (position: { cursor?: string }) => Promise<Page>,
  { openSession, clock }: { openSession: OpenSession; clock: Clock },
): AsyncGenerator<Page, void, void> {
  let checkedAt = clock.now();
  let cursor: string | null = null;
  do {
    if (!isYoungerThan(clock, checkedAt, SESSION_CHECK_INTERVAL_MS)) {
      request.session = await openSession(request);
      checkedAt = clock.now();
    }
    const page: Page = await readPage(cursor === null ? {} : { cursor });
    yield page;
    cursor = page.next_cursor;
  } while (cursor !== null);
}
