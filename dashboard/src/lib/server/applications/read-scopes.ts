import type { Scope } from '@tollgate/contracts/scopes';
import type { Form } from '#lib/server/form.ts';

/** The scopes whose switches are on. That they exist is for the admin API to check. */
export function readScopes(form: Form): Scope[] {
  return form.all('scopes') as Scope[];
}
