import type { ListRequest } from '../src/history/list-payments.ts';
import type { PaymentDocument } from '../src/lifecycle/payment.ts';
import { MAX_METADATA_WORDS, MAX_SEARCHED_WORDS } from '../src/lifecycle/search-keys.ts';

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
  | 'purpose'
  | 'payer'
  | 'metadata'
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
    (filters.search === undefined || isFound(payment, texts, filters.search)) &&
    (filters.payer === undefined ||
      (filters.payer.includes('@')
        ? payer?.email === filters.payer
        : payer?.name === filters.payer || payer?.account === filters.payer))
  );
}

/** The texts whose beginning a search compares, without any key. */
export function searchedTexts({
  reference,
  purpose,
  payer,
  metadata,
}: Pick<ScannedPayment, 'reference' | 'purpose' | 'payer' | 'metadata'>): string[] {
  const values = (metadata ?? []).map(({ value }) => value);
  const texts = [
    ...[reference, payer?.name, purpose].flatMap((text) => withWords(text, MAX_SEARCHED_WORDS)),
    ...values.flatMap((text) => withWords(text, MAX_METADATA_WORDS)),
    ...[payer?.email, payer?.account, payer?.account?.replace(/\s/g, '')].map(formOf),
  ];
  return texts.filter((text) => text !== '');
}

function withWords(text: string | null | undefined, limit: number): string[] {
  return [formOf(text), ...wordsOf(formOf(text)).slice(0, limit)];
}

/** Newest first. */
export function idsInOrder(payments: ScannedPayment[]): string[] {
  const inOrder = (a: ScannedPayment, b: ScannedPayment) =>
    b.created_at.getTime() - a.created_at.getTime() || (a._id < b._id ? 1 : -1);
  return payments.toSorted(inOrder).map(({ _id }) => _id);
}

const BEGINNING_OF_ID = /^pay_[0-7][0-9a-hjkmnp-tv-z]{0,25}$/;
const AMOUNT = /^(\d+)[.,](\d\d)$/;

/** What a search compares. A long run scans a million payments for it. */
const readSearch = memoized((search: string) => {
  const sought = formOf(search);
  const tokens = sought.split(' ').filter((token) => wordsOf(token).length > 0);
  const wholes = tokens.length === 1 || sought === '' ? [] : [sought, sought.replaceAll(' ', '')];
  return { sought, wholes, tokens: tokens.map((token) => ({ token, words: wordsOf(token) })) };
});

/** A search for words: a payment has all of them, or a text that begins with the whole search. */
function isFound(payment: ScannedPayment, texts: readonly string[], search: string): boolean {
  const { sought, wholes, tokens } = readSearch(search);
  if (BEGINNING_OF_ID.test(sought)) return payment._id.startsWith(sought);
  const begins = (word: string) => texts.some((text) => text.startsWith(word));
  const hasToken = ({ token, words }: (typeof tokens)[0]) =>
    begins(token) ||
    words.every(begins) ||
    (token.length >= 5 && payment._id.endsWith(token)) ||
    token === payment.currency.toLowerCase() ||
    Number(AMOUNT.exec(token)?.slice(1).join('')) === payment.amount;
  return wholes.some(begins) || (tokens.length > 0 && tokens.every(hasToken));
}

function memoized<Value>(read: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => known.get(text) ?? (known.set(text, read(text)).get(text) as Value);
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

function formOf(text: string | null | undefined): string {
  const plain = (text ?? '').normalize('NFKC').toLowerCase().trim().replace(/\s+/g, ' ');
  return plain
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replaceAll('ł', 'l')
    .replaceAll('ß', 'ss');
}
