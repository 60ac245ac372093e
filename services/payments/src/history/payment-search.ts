import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import { idTimeMs, timesOfIds } from '@tollgate/contracts/platform/id-time';
import { isId } from '@tollgate/contracts/platform/ids';
import { CURRENCY_EXPONENTS } from '@tollgate/contracts/platform/money';
import type { ListedPayment } from '../lifecycle/payment-detail.ts';
import {
  behindSearchKey,
  foldedTextOf,
  hasSearchText,
  idEndKeyOf,
  MIN_ID_END,
  searchFormsOf,
  searchKeyOf,
  searchTextOf,
  withoutSpaces,
  wordsOf,
} from '../lifecycle/search-keys.ts';
import { HISTORY_INDEXES, type ValueRange } from '../store/history-indexes.ts';

/** What a text finds. */
export interface PaymentSearch {
  /** The only payment that can match; null if others can. */
  paymentId: string | null;
  /** Creation times of the payments that can match; null for all. */
  times: { first: Date; last: Date } | null;
  /** Each has ranges that together have all payments to find. */
  ranges: readonly ValueRange[][];
  holds(payment: ListedPayment): boolean;
}

/** A part of the text without spaces. */
interface Token {
  /** The token as it was typed, in the forms of the index. */
  texts: string[];
  /** A payment that has all of them matches, too. */
  words: string[];
  idEnd: string | null;
  /** The amount in minor units that the token names, by currency. */
  amounts: ReadonlyMap<string, number>;
  currency: string | null;
}

/** Every token adds ranges, and every range queries. */
const MAX_RANGED_WORDS = 4;
/** A payment is created within this time after the arrival of the request. */
const CREATION_MS = 10 * SECOND_MS;
const ID_END = new RegExp(`^[0-9a-hjkmnp-tv-z]{${MIN_ID_END},26}$`);
/** An id as the dashboard shortens it, or the beginning of one. */
const PART_OF_ID = /^(pay_[0-9a-z]*)(?:\.{3}([0-9a-z]+))?$/;
const WHOLE_UNITS = String.raw`(\d{1,3}(?:[.,'’]\d{3})+|\d{1,12})`;

/** Whether the text may name an amount or a currency. */
export function mayNameMoney(search: string): boolean {
  return /\d|(?<!\p{L})\p{L}{3}(?!\p{L})/u.test(search);
}

/**
 * Reads what a member searches for: a payment id or its beginning or end, the id of the request that created a payment, or words, which
 * a payment must have all.
 *
 * @param currencies those of the team's payments
 * @param isOnlyCondition whether a payment that matches is in the list
 */
export function readSearch(
  search: string,
  currencies: readonly string[],
  isOnlyCondition: boolean,
): PaymentSearch {
  const text = searchTextOf(search);
  if (isId('request', text)) return searchByRequest(text);
  if (isId('payment', text))
    return { paymentId: text, times: null, ranges: [], holds: ({ _id }) => _id === text };
  const [, beginning = '', end = null] = PART_OF_ID.exec(text) ?? [];
  const times = timesOfIds('payment', beginning);
  if (times !== null) {
    const holds = ({ _id }: ListedPayment) => _id.startsWith(beginning) && _id.endsWith(end ?? '');
    return { paymentId: null, times, ranges: [], holds };
  }
  const typed = end ?? text;
  const tokens = typed
    .split(' ')
    .map((token) => readToken(token, currencies))
    .filter(({ words }) => words.length > 0);
  const forms = searchFormsOf(typed);
  const wholes = tokens.length === 1 ? [] : [...new Set([...forms, ...forms.slice(-1).map(withoutSpaces)])];
  return {
    paymentId: null,
    times: null,
    ranges: rangesOf(wholes, tokens, isOnlyCondition),
    holds: (payment) =>
      wholes.some((whole) => hasSearchText(payment, whole)) ||
      (tokens.length > 0 && tokens.every((token) => hasToken(payment, token))),
  };
}

function searchByRequest(requestId: string): PaymentSearch {
  const arrivedAtMs = idTimeMs(requestId);
  return {
    paymentId: null,
    times: { first: new Date(arrivedAtMs), last: new Date(arrivedAtMs + CREATION_MS) },
    ranges: [],
    holds: ({ history }) => history.some(({ request_id }) => request_id === requestId),
  };
}

function readToken(typed: string, currencies: readonly string[]): Token {
  const code = typed.toUpperCase();
  const folded = foldedTextOf(typed);
  const number = typed.replace(/\p{Sc}/gu, '');
  const amounts = currencies.map((currency) => [currency, minorUnitsOf(number, currency)] as const);
  return {
    texts: searchFormsOf(typed),
    // The index has an email as a whole.
    words: folded.includes('@') ? [folded] : wordsOf(folded),
    idEnd: ID_END.test(typed) ? typed : null,
    amounts: new Map(amounts.filter((named): named is [string, number] => named[1] !== null)),
    currency: currencies.includes(code) ? code : null,
  };
}

/** `1,299.90` and `1299,90` are 129990 minor units of a currency with two decimals. Null for a number with other decimals. */
function minorUnitsOf(number: string, currency: string): number | null {
  const exponent = CURRENCY_EXPONENTS.get(currency) ?? 0;
  const decimals = exponent === 0 ? '()' : `[.,](\\d{${exponent}})`;
  const [, units = '', rest = ''] = new RegExp(`^${WHOLE_UNITS}${decimals}$`).exec(number) ?? [];
  return units === '' ? null : Number(units.replace(/\D/g, '') + rest);
}

function hasToken(payment: ListedPayment, { texts, words, idEnd, amounts, currency }: Token): boolean {
  return (
    texts.some((text) => hasSearchText(payment, text)) ||
    words.every((word) => hasSearchText(payment, word)) ||
    (idEnd !== null && payment._id.endsWith(idEnd)) ||
    amounts.get(payment.currency) === payment.amount ||
    currency === payment.currency
  );
}

/** Where all payments are that have a word, one list of ranges per word: of those words that most likely are rare. */
function rangesOf(wholes: string[], tokens: Token[], isOnlyCondition: boolean): ValueRange[][] {
  const ofText = (text: string, isExact: boolean): ValueRange => {
    const from = searchKeyOf(text);
    const isCovering = isOnlyCondition && isExact && from === text;
    const to = behindSearchKey(from);
    return { index: HISTORY_INDEXES.search, stem: [], from, second: `${from}\0`, to, isCovering };
  };
  const ofWholes = wholes.map((whole) => ofText(whole, true));
  if (tokens.length === 0) return [ofWholes];
  const isOnly = tokens.length === 1;
  const candidates = tokens.flatMap((token) => {
    const shared = [
      ...ofWholes,
      ...token.texts.map((text) => ofText(text, isOnly)),
      ...rangesOfToken(token, isOnly && isOnlyCondition),
    ];
    return token.words.map((word) => ({
      word,
      ranges: token.texts.includes(word)
        ? shared
        : [...shared, ofText(word, isOnly && token.words.length === 1)],
    }));
  });
  const hasDigit = ({ word }: { word: string }) => Number(/\d/.test(word));
  return candidates
    .sort((a, b) => hasDigit(b) - hasDigit(a) || b.word.length - a.word.length)
    .slice(0, MAX_RANGED_WORDS)
    .map(({ ranges }) => ranges);
}

function rangesOfToken({ idEnd, amounts, currency }: Token, isCovering: boolean): ValueRange[] {
  const { search, amount, currency: byCurrency } = HISTORY_INDEXES;
  const ranges: ValueRange[] = [...amounts].map(([code, from]) => {
    return { index: amount, stem: [code], from, second: from + 1, to: from + 1, isCovering };
  });
  if (currency !== null) {
    const to = `${currency}\0`;
    ranges.push({ index: byCurrency, stem: [], from: currency, second: to, to, isCovering });
  }
  if (idEnd !== null) {
    const from = idEndKeyOf(idEnd);
    const to = behindSearchKey(from);
    ranges.push({ index: search, stem: [], from, second: `${from}\0`, to, isCovering: false });
  }
  return ranges;
}
