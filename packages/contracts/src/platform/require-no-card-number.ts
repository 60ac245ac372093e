import { containsCardNumber } from './card-number.ts';
import { type FieldError, Problem } from './problem.ts';

/** What is wrong with a field that holds a card number. It does not repeat the number: errors are logged. */
export const CARD_NUMBER_ERROR = {
  code: 'card-number',
  detail: 'This looks like a card number.',
} as const satisfies FieldError;

/** Throws `invalid-request` with the field's pointer if one of its texts holds a card number. */
export function requireNoCardNumber(pointer: string, texts: readonly string[]): void {
  if (!texts.some(containsCardNumber)) return;
  throw new Problem('invalid-request', 'Card numbers are not allowed in any field.', {
    errors: [{ pointer, ...CARD_NUMBER_ERROR }],
  });
}
