import type { PaymentRow } from '@tollgate/contracts/payments/payment-history';
import { CURRENCY_EXPONENTS } from '@tollgate/contracts/platform/money';
import type { CsvColumns } from './csv.ts';

/** Columns of the export, in order. New ones are appended: readers of the file may rely on the position. */
export const PAYMENT_COLUMNS: CsvColumns<PaymentRow> = {
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
