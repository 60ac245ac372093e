import { containsCardNumber } from '@tollgate/contracts/card-number';
import { IDEMPOTENCY_KEY, IDEMPOTENCY_KEY_FORMAT } from '@tollgate/contracts/headers';
import { Problem } from '@tollgate/contracts/problem';
import { CARD_NUMBER_ERROR } from '@tollgate/contracts/require-no-card-number';

/** sf-string of RFC 8941 §3.3.3: `"` and `\` occur only after a `\`. */
const QUOTED_KEY = /^"((?:[^"\\]|\\["\\])*)"$/;

/**
 * Returns the key in an `Idempotency-Key` header, or null without the header. The quoted and the unquoted form are the
 * same key.
 *
 * @throws Problem `invalid-idempotency-key`
 */
export function parseIdempotencyKey(header: string | undefined): string | null {
  if (header === undefined) return null;
  const key = header.startsWith('"') ? QUOTED_KEY.exec(header)?.[1]?.replace(/\\(["\\])/g, '$1') : header;
  if (key === undefined || !IDEMPOTENCY_KEY.test(key)) {
    throw new Problem(
      'invalid-idempotency-key',
      `The Idempotency-Key must be one key of ${IDEMPOTENCY_KEY_FORMAT}, bare or in double quotes.`,
      {
        errors: [
          {
            header: 'Idempotency-Key',
            code: 'invalid',
            detail: `Must be ${IDEMPOTENCY_KEY_FORMAT}.`,
          },
        ],
      },
    );
  }
  if (containsCardNumber(key)) {
    throw new Problem(
      'invalid-idempotency-key',
      'The Idempotency-Key must not contain a card number. Use a UUID.',
      {
        errors: [{ header: 'Idempotency-Key', ...CARD_NUMBER_ERROR }],
      },
    );
  }
  return key;
}
