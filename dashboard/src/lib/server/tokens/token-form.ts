import { API_TOKEN_ROLES, type ApiTokenRole } from '@tollgate/contracts/accounts/api-token';
import { ENVIRONMENTS, type Environment } from '@tollgate/contracts/platform/environment';
import { endOfDay } from '#lib/server/credentials/expiry.ts';
import { readCidrs } from '#lib/server/credentials/read-cidrs.ts';
import type { Form } from '#lib/server/form.ts';

/** The fields of a new API token, as the admin API takes them. */
export interface NewTokenFields {
  name: string;
  role: ApiTokenRole;
  environments?: Environment[];
  allowed_cidrs: string[];
  expires_at?: string;
}

/** The request, or the errors by form field to correct first. */
export function readTokenForm(
  form: Form,
  timeZone: string,
): { fields: NewTokenFields; errors: null } | { fields: null; errors: Record<string, string> } {
  const errors: Record<string, string> = {};
  const name = form.text('name');
  if (name === '') errors['name'] = 'Enter a name.';
  const role = API_TOKEN_ROLES.find((known) => known === form.text('role'));
  if (role === undefined) errors['role'] = 'Select a role.';
  const environments = ENVIRONMENTS.filter((known) => ['both', known].includes(form.text('environments')));
  if (environments.length === 0) errors['environments'] = 'Select the environments.';
  const day = form.text('expires_on');
  const expires_at = day === '' ? null : endOfDay(day, timeZone);
  if (day !== '' && expires_at === null) errors['expires_on'] = 'Enter a valid date such as 2026-12-31.';

  if (role === undefined || Object.keys(errors).length > 0) return { fields: null, errors };
  return {
    errors: null,
    fields: {
      name,
      role,
      allowed_cidrs: readCidrs(form.text('allowed_cidrs')),
      ...(environments.length === 1 && { environments }),
      ...(expires_at !== null && { expires_at }),
    },
  };
}
