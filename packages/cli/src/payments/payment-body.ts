import type { ParseArgsOptionsConfig } from 'node:util';
import type { CreatePaymentBody } from '@tollgate/contracts/payments/payment';
import { UsageError } from '../command.ts';

/** The options that describe a new payment. */
export const BODY_OPTIONS = {
  amount: { type: 'string' },
  currency: { type: 'string', default: 'EUR' },
  reference: { type: 'string' },
  purpose: { type: 'string' },
  'return-url': { type: 'string' },
  metadata: { type: 'string', multiple: true, default: [] },
} satisfies ParseArgsOptionsConfig;

export const BODY_USAGE = `  --amount <number>           amount in minor units, such as 1999 for 19.99 EUR
  --currency <code>           ISO 4217 code; by default EUR
  --reference <text>          your reference
  --purpose <text>            what the payer pays for
  --return-url <url>          where the payer returns to
  --metadata <key>=<value>    repeatable`;

interface Values {
  amount?: string | undefined;
  currency: string;
  reference?: string | undefined;
  purpose?: string | undefined;
  'return-url'?: string | undefined;
  metadata: string[];
}

/** The body that the options describe. @throws UsageError */
export function readBody(values: Values, paymentMethod: string | null): CreatePaymentBody {
  const { amount, currency, reference = null, purpose = null, metadata } = values;
  if (amount === undefined || !/^\d{1,12}$/.test(amount))
    throw new UsageError('Pass --amount in minor units, such as --amount 1999 for 19.99 EUR.');
  return {
    amount: Number(amount),
    currency,
    reference,
    purpose,
    payment_method: paymentMethod,
    return_url: values['return-url'] ?? null,
    metadata: metadata.length === 0 ? null : Object.fromEntries(metadata.map(readPair)),
  };
}

function readPair(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError('--metadata must be <key>=<value>, such as --metadata order=17.');
  return [text.slice(0, at), text.slice(at + 1)];
}
