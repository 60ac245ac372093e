import type { SourceChange } from './source-change.ts';

/** Leases of 3 s instead of 30 s, so that one ends while its holder is suspended for some seconds. */
export const SHORT_LEASES: readonly SourceChange[] = [
  {
    file: 'payments/src/processing/claim.ts',
    from: 'LEASE_MS = 30_000',
    to: 'LEASE_MS = 3_000',
  },
  {
    file: 'webhooks/src/context.ts',
    from: 'LEASE_MS = 30_000',
    to: 'LEASE_MS = 3_000',
  },
];

/** In their long form, fault tests keep the leases of production. */
export const LEASES_OF_FORM = process.env['FAULTS_FORM'] === 'long' ? [] : SHORT_LEASES;
