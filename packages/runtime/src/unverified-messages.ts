import { Counter, type Registry } from 'prom-client';

/** Counts a message of this kind that failed verification, and why. */
export type CountUnverified = (kind: string, reason: string) => void;

/** Any increase is an attack, or a mistake in the configuration of keys: an alert belongs on this counter. */
export function createUnverifiedCounter(registry: Registry): CountUnverified {
  const counter = new Counter({
    name: 'tollgate_unverified_messages_total',
    help: 'Messages that were rejected because their signature, issuer, or place was not valid',
    labelNames: ['kind', 'reason'],
    registers: [registry],
  });
  return (kind, reason) => counter.inc({ kind, reason });
}
