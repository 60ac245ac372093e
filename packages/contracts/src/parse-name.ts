import { Problem } from './problem.ts';

/** Returns the trimmed name. Throws `invalid-request` with the field's pointer if it is empty. */
export function parseName(name: string, pointer = '/name'): string {
  const trimmed = name.trim();
  if (trimmed !== '') return trimmed;
  throw new Problem('invalid-request', 'The name is blank.', {
    errors: [{ pointer, code: 'invalid', detail: 'Must contain a visible character.' }],
  });
}
