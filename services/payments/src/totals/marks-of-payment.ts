import type { ChangedPayment } from './counted-payments.ts';
import type { Basis } from './roll-up.ts';
import type { Mark } from './roll-up-store.ts';

/** The quarters in which the payment is counted. A document that something else has written may lack any field. */
export function marksOf(payment: ChangedPayment): Mark[] {
  const { team_id, environment, created_at, succeeded_at, updated_at: changedAt } = payment;
  const times: [Basis, Date | undefined][] = [
    ['created', created_at],
    ['succeeded', succeeded_at],
  ];
  if (typeof team_id !== 'string') return [];
  return times.flatMap(([basis, at]) =>
    at instanceof Date ? [{ team_id, environment, basis, at, changedAt }] : [],
  );
}
