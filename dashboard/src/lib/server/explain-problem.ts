import type { AdminProblem } from '@tollgate/admin-client/admin-problem';
import { tryAgain } from './try-again.ts';

const SERVER_ERROR = 500;
export const SEE_FIELDS = 'Check the highlighted fields.';

type HasField = (name: string) => boolean;

/** An error response of the admin API in the terms of the form: a message for each field, and one for the whole. */
export function explainProblem(hasField: HasField, problem: AdminProblem, fieldOf: Record<string, string>) {
  const about = fieldOf[problem.code];
  if (about !== undefined && hasField(about)) return { errors: { [about]: problem.detail } };
  const errors: Record<string, string> = {};
  const unplaced: string[] = [];
  for (const { pointer, parameter, detail } of problem.errors) {
    const field = fieldNamed(hasField, pointer ?? (parameter === undefined ? '' : `/${parameter}`), fieldOf);
    if (field === undefined) unplaced.push(detail);
    else errors[field] ??= detail;
  }
  const isAboutFields = Object.keys(errors).length > 0;
  return {
    errors,
    message: isAboutFields && unplaced.length === 0 ? SEE_FIELDS : messageOf(problem, unplaced),
    requestId: problem.status >= SERVER_ERROR ? problem.requestId : null,
    code: problem.code,
  };
}

/** `/limits/live/burst` is the field `limits.live.burst`; `/scopes/0` is `scopes` when the form has no `scopes.0`. */
function fieldNamed(
  hasField: HasField,
  pointer: string,
  fieldOf: Record<string, string>,
): string | undefined {
  const named = fieldOf[pointer];
  if (named !== undefined) return named;
  const path = pointer.split('/').slice(1);
  for (let length = path.length; length > 0; length -= 1) {
    const name = path.slice(0, length).join('.');
    if (hasField(name)) return name;
  }
  return undefined;
}

function messageOf(problem: AdminProblem, unplaced: string[]): string {
  switch (problem.code) {
    case 'precondition-failed':
      return 'This was changed after you opened the page. Review the current values, then save again.';
    case 'idempotency-key-reused':
      return 'This form was already submitted with other values. Check what it created before you submit it again.';
    case 'too-many-attempts':
    case 'rate-limited':
      return `Too many attempts. ${tryAgain(problem.retryAfterS)}`;
    default:
      return [problem.detail, ...unplaced].join(' ');
  }
}
