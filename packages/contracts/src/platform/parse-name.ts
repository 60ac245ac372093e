import { requireNoCardNumber } from './card-number.ts';
import { isPlainText, PLAIN_TEXT_SENTENCE } from './plain-text.ts';
import { Problem } from './problem.ts';

/**
 * Returns the trimmed name. Throws `invalid-request` with the field's pointer if it is empty, is no plain text, or holds a
 * card number.
 */
export function parseName(name: string, pointer = '/name'): string {
  const trimmed = name.trim();
  if (!isPlainText(trimmed))
    throw invalid(pointer, 'The name has characters that are not allowed.', PLAIN_TEXT_SENTENCE);
  requireNoCardNumber(pointer, [trimmed]);
  if (trimmed !== '') return trimmed;
  throw invalid(pointer, 'The name is blank.', 'Must contain a visible character.');
}

function invalid(pointer: string, what: string, detail: string): Problem {
  return new Problem('invalid-request', what, { errors: [{ pointer, code: 'invalid', detail }] });
}
