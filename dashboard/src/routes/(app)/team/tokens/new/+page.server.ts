import { API_TOKEN_ROLES } from '@tollgate/contracts/accounts/api-token';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { ROLE_CHOICES } from '#lib/people/roles.ts';
import { requireAccess } from '#lib/server/access.ts';
import { explainCidrs } from '#lib/server/credentials/restrictions.ts';
import { limitsOf } from '#lib/server/field-limits.ts';
import { formAction } from '#lib/server/form-action.ts';
import { readTokenForm } from '#lib/server/tokens/token-form.ts';
import { dayIn } from '#lib/server/zoned-time.ts';
import type { Actions, PageServerLoad } from './$types';

const ROLES: readonly string[] = API_TOKEN_ROLES;

export const load: PageServerLoad = async ({ locals, parent }) => {
  const { me } = await parent();
  requireAccess(ADMIN_ROUTES.createToken, 'Creating API tokens', me.role);
  return {
    idempotencyKey: crypto.randomUUID(),
    roles: ROLE_CHOICES.filter(({ value }) => ROLES.includes(value)),
    limits: limitsOf({ default: ADMIN_ROUTES.createToken }),
    today: dayIn(locals.timeZone, Date.now()),
    adminUrl: locals.adminApiUrl,
  };
};

export const actions = {
  /** The secret appears only in the response to the POST: never in an address, a cookie or a log. */
  default: formAction(
    ADMIN_ROUTES.createToken,
    (form, { locals }) => readTokenForm(form, locals.timeZone),
    ({ secret, ...token }) => ({
      // Without a secret, the form was submitted before, and the secret was shown then.
      created: secret === null ? undefined : { token, secret },
      existing: secret === null ? token : undefined,
    }),
    { fieldOf: { '/expires_at': 'expires_on' }, explain: explainCidrs },
  ),
} satisfies Actions;
