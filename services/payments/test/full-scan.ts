import { isId } from '@tollgate/contracts/platform/ids';
import type { ListRequest } from '../src/history/list-payments.ts';
import type { PaymentDocument } from '../src/lifecycle/payment.ts';
import { MAX_SEARCHED_WORDS } from '../src/lifecycle/search-keys.ts';

/** What filters compare. */
export type ScannedPayment = Pick<
  PaymentDocument,
  | '_id'
  | 'environment'
  | 'application_id'
  | 'status'
  | 'currency'
  | 'amount'
  | 'reference'
  | 'payer'
  | 'created_at'
>;

/** Whether a payment meets filters, as the contract defines them, without any index. */
export function matches(
  payment: ScannedPayment,
  filters: ListRequest,
  texts = searchedTexts(payment),
): boolean {
  const created = payment.created_at.getTime();
  const { payer } = payment;
  return (
    (['environment', 'application_id', 'status', 'reference'] as const).every((name) => {
      const wanted = filters[name];
      return wanted === undefined || payment[name] === wanted;
    }) &&
    (filters.currency === undefined || payment.currency === filters.currency.toUpperCase()) &&
    payment.amount >= (filters.amount_min ?? 0) &&
    payment.amount <= (filters.amount_max ?? Number.MAX_SAFE_INTEGER) &&
    created >= Date.parse(filters.created_from ?? '2000-01-01T00:00:00Z') &&
    created < Date.parse(filters.created_to ?? '2100-01-01T00:00:00Z') &&
    (filters.search === undefined || isFound(payment._id, texts, filters.search)) &&
    (filters.payer === undefined ||
      (filters.payer.includes('@')
        ? payer?.email === filters.payer
        : payer?.name === filters.payer || payer?.account === filters.payer))
  );
}

/** The texts whose beginning a search compares, without any key. */
export function searchedTexts({ reference, payer }: Pick<ScannedPayment, 'reference' | 'payer'>): string[] {
  const wholes = [reference, payer?.name, payer?.email, payer?.account].map(formOf);
  const words = [reference, payer?.name].flatMap((text) => {
    const [, ...further] = formOf(text).matchAll(/[\p{L}\p{N}\p{M}]+/gu);
    return further.slice(0, MAX_SEARCHED_WORDS - 1).map(({ index }) => formOf(text).slice(index));
  });
  return [...wholes, ...words].filter((text) => text !== '');
}

/** Newest first. */
export function idsInOrder(payments: ScannedPayment[]): string[] {
  const inOrder = (a: ScannedPayment, b: ScannedPayment) =>
    b.created_at.getTime() - a.created_at.getTime() || (a._id < b._id ? 1 : -1);
  return payments.toSorted(inOrder).map(({ _id }) => _id);
}

const BEGINNING_OF_ID = /^pay_[0-7][0-9a-hjkmnp-tv-z]{0,25}$/;

function isFound(id: string, texts: readonly string[], search: string): boolean {
  const sought = formOf(search);
  if (isId('payment', sought)) return id === sought;
  if (BEGINNING_OF_ID.test(sought)) return id.startsWith(sought);
  return texts.some((text) => text.startsWith(sought));
}

function formOf(text: string | null | undefined): string {
  return (text ?? '').normalize('NFKC').toLowerCase().trim().replace(/\s+/g, ' ');
}
