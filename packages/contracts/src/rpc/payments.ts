import Type from 'typebox';
import { PaymentEvent } from '../events.ts';
import { Id } from '../ids.ts';
import { Nullable } from '../nullable.ts';
import { Payment } from '../payment.ts';
import { Time } from '../time.ts';
import { rpc } from './contract.ts';

const closed = { additionalProperties: false } as const;

/** A member settles a payment of the manual processor. */
export const settlePayment = rpc('payments', 'settle', {
  caller: 'member',
  request: Type.Object(
    {
      application_id: Id('application'),
      payment_id: Id('payment'),
      outcome: Type.Union([
        Type.Object({ status: Type.Literal('succeeded') }, closed),
        Type.Object(
          {
            status: Type.Literal('failed'),
            failure: Type.Object(
              {
                code: Type.String({ pattern: '^[a-z][a-z0-9_]{0,63}$' }),
                message: Type.String({ minLength: 1, maxLength: 255 }),
              },
              closed,
            ),
          },
          closed,
        ),
      ]),
    },
    closed,
  ),
  reply: Payment,
});

export const MAX_EVENTS_SINCE_LIMIT = 200;

/**
 * Every event of every payment that changed at or after `since`, oldest change first: what a consumer asks for to
 * reconcile what NATS did not deliver. A payment that changes while it is read appears again on a later page.
 */
export const eventsSince = rpc('payments', 'events_since', {
  caller: 'service',
  request: Type.Object(
    {
      since: Time,
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_EVENTS_SINCE_LIMIT })),
      cursor: Type.Optional(Type.String({ maxLength: 512 })),
    },
    closed,
  ),
  reply: Type.Object({ events: Type.Array(PaymentEvent), next_cursor: Nullable(Type.String()) }),
});
