import { MAX_PAGE_SIZE } from '@tollgate/contracts/rpc/page';
import { listPayments } from '@tollgate/contracts/rpc/payments';
import type { Clock } from '@tollgate/service-kit/clock';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { CallService } from './call-service.ts';
import { callOptions, type OpenSession } from './session.ts';

/** Half of what an actor token lives. */
export const SESSION_CHECK_INTERVAL_MS = 30_000;

export type PaymentFilter = Omit<Static<(typeof listPayments)['request']>, 'limit' | 'cursor'>;
export type PaymentPage = Static<(typeof listPayments)['reply']>;

/**
 * The pages of a list of payments, one after the other, each asked for when it is wanted. The session is checked again before a page
 * that comes later than that: whoever was removed meanwhile gets no more. Throws what the service or accounts refuse.
 */
export async function* paymentPages(
  request: FastifyRequest,
  filter: PaymentFilter,
  deps: { callService: CallService; openSession: OpenSession; clock: Clock },
): AsyncGenerator<PaymentPage, void, void> {
  const { callService, openSession, clock } = deps;
  let checkedAt = clock.now();
  let cursor: string | null = null;
  do {
    if (clock.now() - checkedAt >= SESSION_CHECK_INTERVAL_MS) {
      request.session = await openSession(request);
      checkedAt = clock.now();
    }
    const position = cursor === null ? {} : { cursor };
    const page: PaymentPage = await callService(
      listPayments,
      { ...filter, ...position, limit: MAX_PAGE_SIZE },
      callOptions(request),
    );
    yield page;
    cursor = page.next_cursor;
  } while (cursor !== null);
}
