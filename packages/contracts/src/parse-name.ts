import { Problem } from './problem.ts';
import { requireNoCardNumber } from './require-no-card-number.ts';
import { requireNoControlCharacter } from './require-no-control-character.ts';

/**
 * Returns the trimmed name. Throws `invalid-request` with the field's pointer if it is empty, has a control character, or
 * holds a card number.
 */
export function parseName(name: string, pointer = '/name'): string {
  const trimmed = name.trim();
  requireNoControlCharacter(pointer, trimmed);
  requireNoCardNumber(pointer, [trimmed]);
  if (trimmed !== '') return trimmed;
  throw new Problem('invalid-request', 'The name is blank.', {
    errors: [{ pointer, code: 'invalid', detail: 'Must contain a visible character.' }],
  });
}
