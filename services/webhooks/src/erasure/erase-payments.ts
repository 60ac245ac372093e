import type { PaymentEvent } from '@tollgate/contracts/payments/events';
import type { Shared } from '../context.ts';
import type { Erasure } from './erasure-store.ts';

const REPEATED_AT_ONCE = 100;

type ErasureDeps = Pick<Shared, 'erasures' | 'events' | 'deliveries' | 'bodies' | 'clock'>;

/**
 * Erases the stored data of payments for which these stored events report an erasure, and of payments that were erased before these
 * events arrived. A call that stores an event and a call that notes an erasure may overlap: the later one sees the other.
 */
export async function eraseWhatEventsSay(
  deps: ErasureDeps,
  received: readonly PaymentEvent[],
): Promise<void> {
  const { erasures, clock } = deps;
  await erasures.note(received.flatMap(erasureOf), new Date(clock.now()));
  // Events that payments sends after an erasure do not contain the data.
  const affected = received.filter(({ type, data }) => type === 'payment.erased' || data.erased_at === null);
  for (const erasure of await erasures.findOfPayments(affected.map(({ data }) => data.id))) {
    await eraseStored(deps, erasure);
  }
}

/** Repeats erasures, because attempts in flight during an erasure have recorded responses since. */
export async function repeatErasures(deps: ErasureDeps): Promise<void> {
  const { erasures, clock } = deps;
  for (const erasure of await erasures.findDue(new Date(clock.now()), REPEATED_AT_ONCE)) {
    await eraseStored(deps, erasure);
    await erasures.markRepeated(erasure);
  }
}

function erasureOf({ type, team_id, data }: PaymentEvent): Erasure[] {
  if (type !== 'payment.erased' || data.erased_at === null) return [];
  return [{ _id: data.id, team_id, erased_at: data.erased_at }];
}

/** Erases the bodies of events, and the responses, in which a receiver may have repeated a body. */
async function eraseStored({ events, deliveries, bodies }: ErasureDeps, erasure: Erasure): Promise<void> {
  for (const eventId of await events.eraseOfPayment(erasure)) bodies.drop(eventId);
  await deliveries.eraseResponsesOfPayment(erasure);
}
