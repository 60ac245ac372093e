import { createHash } from 'node:crypto';
import { canonicalJson } from '@tollgate/contracts/platform/canonical-json';
import type { ProcessorPayment } from '../contract/payment-state.ts';

/**
 * What must be the same when a start is repeated. A field that a later release adds must not be added here: the payments that
 * are stored lack it.
 */
const COMPARED = [
  'application_id',
  'environment',
  'amount',
  'currency',
  'purpose',
  'reference',
  'payer',
  'payee',
  'payment_method',
  'metadata',
  'return_url',
  'created_at',
] as const;

/** A digest, so that a finished payment can be compared without its payer's data. */
export function fingerprintOf(payment: ProcessorPayment): string {
  const compared = canonicalJson(COMPARED.map((name) => payment[name]));
  return createHash('sha256').update(compared).digest('base64');
}
