import { CARD_NUMBER_ERROR, containsCardNumber } from '@tollgate/contracts/platform/card-number';
import { IDEMPOTENCY_KEY_FORMAT, IDEMPOTENCY_KEY_HEADER } from '@tollgate/contracts/platform/headers';
import { Problem } from '@tollgate/contracts/platform/problem';

/** What programs write in place of a key that they lack. All their payments would share it. */
const MISSING_VALUE = /^(null|undefined|nan|none|nil|true|false|\[object Object\])$/i;

/** The key in a valid header. The quoted and the unquoted form are the same key. */
export function unquoteIdempotencyKey(header: string): string {
  return header.startsWith('"') ? header.slice(1, -1).replace(/\\(["\\])/g, '$1') : header;
}

/**
 * Returns the key in an `Idempotency-Key` header, or null without the header.
 *
 * @throws Problem `invalid-idempotency-key`
 */
export function parseIdempotencyKey(header: string | undefined): string | null {
  if (header === undefined) return null;
  const key = unquoteIdempotencyKey(header);
  if (MISSING_VALUE.test(key)) {
    throw invalidKey(`The Idempotency-Key must not be "${key}", the text of a missing value. Use a UUID.`, {
      code: 'invalid',
      detail: 'Must not be the text of a missing value.',
    });
  }
  if (!IDEMPOTENCY_KEY_HEADER.test(header)) {
    throw invalidKey(
      `The Idempotency-Key must be one key of ${IDEMPOTENCY_KEY_FORMAT}, bare or in double quotes.`,
      { code: 'invalid', detail: `Must be ${IDEMPOTENCY_KEY_FORMAT}.` },
    );
  }
  if (containsCardNumber(key))
    throw invalidKey('The Idempotency-Key must not contain a card number. Use a UUID.', CARD_NUMBER_ERROR);
  return key;
}

function invalidKey(detail: string, error: { code: string; detail: string }): Problem {
  return new Problem('invalid-idempotency-key', detail, {
    errors: [{ header: 'Idempotency-Key', ...error }],
  });
}
