import {
  type CreatePaymentBody,
  PAYMENT_LIMITS,
  RETURN_URL_SENTENCE,
} from '@tollgate/contracts/payments/payment';
import { CARD_NUMBER_ERROR, containsCardNumber } from '@tollgate/contracts/platform/card-number';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { CURRENCY_EXPONENTS, MAX_AMOUNT, MIN_AMOUNT } from '@tollgate/contracts/platform/money';
import { isPlainText, PLAIN_TEXT_SENTENCE } from '@tollgate/contracts/platform/plain-text';
import { Problem } from '@tollgate/contracts/platform/problem';

/**
 * Returns a well-formed creation with its return URL in the normal form of the URL standard, which is ASCII: browsers and
 * headers take nothing else. The rules are checked in this order: names of metadata, return URL, currency, amount, card data.
 *
 * @throws Problem `invalid-request`, `unsupported-currency`, `amount-out-of-range` or `card-data-not-allowed`
 */
export function parsePayable(body: CreatePaymentBody, environment: Environment): CreatePaymentBody {
  if (!Object.keys(body.metadata ?? {}).every(isPlainText)) throw invalid('/metadata', PLAIN_TEXT_SENTENCE);
  const payable = { ...body, return_url: parseReturnUrl(body.return_url ?? null, environment) };
  assertCurrency(body.currency);
  assertAmount(body.amount);
  assertNoCardNumber(body, payable.return_url);
  return payable;
}

function parseReturnUrl(returnUrl: string | null, environment: Environment): string | null {
  if (returnUrl === null) return null;
  const url = URL.parse(returnUrl);
  if (!url || (url.protocol === 'http:' && environment === 'live'))
    throw invalid('/return_url', RETURN_URL_SENTENCE);
  if (url.href.length <= PAYMENT_LIMITS.returnUrl) return url.href;
  throw invalid(
    '/return_url',
    `This is longer than ${PAYMENT_LIMITS.returnUrl} characters when it is percent-encoded.`,
  );
}

function invalid(pointer: string, detail: string): Problem {
  return new Problem('invalid-request', 'The body is not valid. `errors` names each field.', {
    errors: [{ pointer, code: 'invalid', detail }],
  });
}

function assertCurrency(currency: string): void {
  if (CURRENCY_EXPONENTS.has(currency.toUpperCase())) return;
  throw new Problem('unsupported-currency', `${currency.toUpperCase()} is not an active ISO 4217 currency.`, {
    errors: [
      { pointer: '/currency', code: 'unsupported', detail: 'This is not an active ISO 4217 currency.' },
    ],
  });
}

function assertAmount(amount: number): void {
  if (amount >= MIN_AMOUNT && amount <= MAX_AMOUNT) return;
  const detail = `The amount must be from ${MIN_AMOUNT} to ${MAX_AMOUNT} minor units.`;
  throw new Problem('amount-out-of-range', detail, {
    errors: [{ pointer: '/amount', code: 'out-of-range', detail }],
  });
}

/** The error names the fields, never the number: errors are logged and stored where a card number must not appear. */
function assertNoCardNumber(body: CreatePaymentBody, normalReturnUrl: string | null): void {
  const errors = textsOf(body, normalReturnUrl)
    .filter(({ texts }) => texts.some(containsCardNumber))
    .map(({ pointer }) => ({ pointer, ...CARD_NUMBER_ERROR }));
  if (errors.length === 0) return;
  throw new Problem('card-data-not-allowed', 'Card numbers are not allowed in any field.', { errors });
}

/**
 * Every free text of a body. A metadata pair is one field with two texts, so that the pointer never contains a card
 * number in the key. A return URL has two forms: percent-encoding hides digits of other scripts, and the normal form has no line breaks
 * between digits.
 */
function textsOf(
  body: CreatePaymentBody,
  normalReturnUrl: string | null,
): { pointer: string; texts: string[] }[] {
  const found: { pointer: string; texts: string[] }[] = [];
  const add = (pointer: string, text: string | null | undefined) => {
    if (text != null) found.push({ pointer, texts: [text] });
  };
  add('/purpose', body.purpose);
  add('/reference', body.reference);
  add('/payment_method', body.payment_method);
  if (normalReturnUrl !== null)
    found.push({ pointer: '/return_url', texts: [body.return_url ?? '', normalReturnUrl] });
  for (const role of ['payer', 'payee'] as const) {
    add(`/${role}/name`, body[role]?.name);
    add(`/${role}/account`, body[role]?.account);
    add(`/${role}/email`, body[role]?.email);
  }
  const pairs = Object.entries(body.metadata ?? {});
  if (pairs.length > 0) found.push({ pointer: '/metadata', texts: pairs.flat() });
  return found;
}
