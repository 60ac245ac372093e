import { Problem } from './problem.ts';

/** C0 and C1 controls and DEL, which no page shows, and which reorder or end lines in terminals and logs. */
const CONTROL_CHARACTER = /\p{Cc}/u;

/** Throws `invalid-request` with the field's pointer if the text has a control character. */
export function requireNoControlCharacter(pointer: string, text: string): void {
  if (!CONTROL_CHARACTER.test(text)) return;
  throw new Problem('invalid-request', 'Control characters are not allowed in this field.', {
    errors: [
      { pointer, code: 'invalid', detail: 'Must not contain control characters, such as NUL or a tab.' },
    ],
  });
}
