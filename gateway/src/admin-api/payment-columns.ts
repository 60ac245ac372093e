/// <reference lib="esnext.temporal" />

import type { PaymentRow } from '@tollgate/contracts/payments/payment-history';
import { CURRENCY_EXPONENTS } from '@tollgate/contracts/platform/money';
import type { CsvColumns, CsvValue } from './csv.ts';

/**
 * Columns of the export, in order. New ones are appended: readers of the file may rely on the position.
 *
 * @param names of applications by id
 * @param timeZone in which times are written
 */
export function paymentColumns(names: ReadonlyMap<string, string>, timeZone: string): CsvColumns<PaymentRow> {
  const timed = Object.entries(COLUMNS).map(([column, read]): [string, (row: PaymentRow) => CsvValue] =>
    column.endsWith('_at') ? [column, (row) => timeIn(timeZone, read(row))] : [column, read],
  );
  return {
    ...Object.fromEntries(timed),
    application: ({ application_id }) => names.get(application_id) ?? null,
  };
}

const COLUMNS: CsvColumns<PaymentRow> = {
  id: ({ id }) => id,
  created_at: ({ created_at }) => created_at,
  environment: ({ environment }) => environment,
  application_id: ({ application_id }) => application_id,
  status: ({ status }) => status,
  currency: ({ currency }) => currency,
  /** In the currency's major unit, with all its decimals. */
  amount: ({ amount, currency }) => majorUnits(amount, currency),
  amount_minor: ({ amount }) => amount,
  reference: ({ reference }) => reference,
  purpose: ({ purpose }) => purpose,
  payer_name: ({ payer }) => payer?.name ?? null,
  payer_account: ({ payer }) => payer?.account ?? null,
  payer_email: ({ payer }) => payer?.email ?? null,
  payee_name: ({ payee }) => payee?.name ?? null,
  payee_account: ({ payee }) => payee?.account ?? null,
  payee_email: ({ payee }) => payee?.email ?? null,
  payment_method: ({ payment_method }) => payment_method,
  processor: ({ processor }) => processor,
  failure_code: ({ failure }) => failure?.code ?? null,
  failure_message: ({ failure }) => failure?.message ?? null,
  cancellation_reason: ({ cancellation_reason }) => cancellation_reason,
  updated_at: ({ updated_at }) => updated_at,
  succeeded_at: ({ succeeded_at }) => succeeded_at,
  failed_at: ({ failed_at }) => failed_at,
  canceled_at: ({ canceled_at }) => canceled_at,
  expires_at: ({ expires_at }) => expires_at,
  version: ({ version }) => version,
  processor_reference: ({ processor_reference }) => processor_reference,
  cancellation_requested_at: ({ cancellation_requested_at }) => cancellation_requested_at,
  return_url: ({ return_url }) => return_url,
  next_action_url: ({ next_action }) => next_action?.url ?? null,
  erased_at: ({ erased_at }) => erased_at,
  waiting_for: ({ waiting_for }) => waiting_for,
};

/** The time with the offset of the zone: `2026-11-21T09:00:00.000+01:00`. In UTC, as the API writes it. */
function timeIn(timeZone: string, time: CsvValue): CsvValue {
  if (time === null || timeZone === 'UTC') return time;
  const zoned = Temporal.Instant.from(String(time)).toZonedDateTimeISO(timeZone);
  return zoned.toString({ timeZoneName: 'never', fractionalSecondDigits: 3 });
}

/**
 * Works on text: floating-point division cannot represent every amount. Null for a currency of unknown exponent;
 * `amount_minor` has the amount.
 */
function majorUnits(amount: number, currency: string): string | null {
  const exponent = CURRENCY_EXPONENTS.get(currency);
  if (exponent === undefined) return null;
  if (exponent === 0) return String(amount);
  const digits = String(amount).padStart(exponent + 1, '0');
  return `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}
