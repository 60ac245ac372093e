import type { Scope } from '@tollgate/contracts/applications/scopes';
import type { Form } from '#lib/server/form.ts';

/** The scopes whose switches are on. The admin API validates them. */
export function readScopes(form: Form): Scope[] {
  return form.all('scopes') as Scope[];
}
