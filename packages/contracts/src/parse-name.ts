import { Problem } from './problem.ts';

/** The name without spaces around it. Throws `invalid-request`, naming the field, when nothing is left. */
export function parseName(name: string, pointer = '/name'): string {
  const trimmed = name.trim();
  if (trimmed !== '') return trimmed;
  throw new Problem('invalid-request', 'The name is blank.', {
    errors: [{ pointer, code: 'invalid', detail: 'Must contain a visible character.' }],
  });
}
