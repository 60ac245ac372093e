import type { SentRequest } from '@tollgate/admin-client/admin-client';
import { API_TOKEN_ROLES, type ApiTokenRole } from '@tollgate/contracts/accounts/api-token';
import type { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { ENVIRONMENTS } from '@tollgate/contracts/platform/environment';
import { endOfDay, readCidrs, readExpiryDay } from '#lib/server/credentials/restrictions.ts';
import type { Form } from '#lib/server/form.ts';

/** The fields of a new API token. Rejects the form when one must be corrected. */
export function readTokenForm(form: Form, timeZone: string): SentRequest<typeof ADMIN_ROUTES.createToken> {
  const name = form.required('name', 'Enter a name.');
  const role = API_TOKEN_ROLES.find((known) => known === form.text('role'));
  if (role === undefined) form.reject('role', 'Select a role.');
  const environments = ENVIRONMENTS.filter((known) => ['both', known].includes(form.text('environments')));
  if (environments.length === 0) form.reject('environments', 'Select the environments.');
  return {
    name,
    role: role as ApiTokenRole,
    environments: environments.length === 1 ? environments : undefined,
    allowed_cidrs: readCidrs(form.text('allowed_cidrs')),
    expires_at: endOfDay(readExpiryDay(form, timeZone), timeZone) ?? undefined,
  };
}
