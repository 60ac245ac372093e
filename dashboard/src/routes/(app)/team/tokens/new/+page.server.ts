import { randomUUID } from 'node:crypto';
import { error } from '@sveltejs/kit';
import { API_TOKEN_ROLES } from '@tollgate/contracts/accounts/api-token';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { ROLE_CHOICES } from '#lib/people/roles.ts';
import { dayIn } from '#lib/server/credentials/expiry.ts';
import { explainCidrs } from '#lib/server/credentials/rejected-cidrs.ts';
import { limitsOf } from '#lib/server/field-limits.ts';
import { failForm } from '#lib/server/form.ts';
import { formAction } from '#lib/server/form-action.ts';
import { readTimeZone, TIME_ZONE_COOKIE } from '#lib/server/time-zone.ts';
import { mayManageTokens } from '#lib/server/tokens/permissions.ts';
import { readTokenForm } from '#lib/server/tokens/token-form.ts';
import type { Actions, PageServerLoad } from './$types';

const ROLES: readonly string[] = API_TOKEN_ROLES;

export const load: PageServerLoad = async ({ locals, cookies, parent }) => {
  const { me } = await parent();
  if (!mayManageTokens(me.role)) {
    error(403, {
      message: 'Creating API tokens requires the admin role. Ask an owner or admin of your team.',
      requestId: locals.requestId,
    });
  }
  return {
    idempotencyKey: randomUUID(),
    roles: ROLE_CHOICES.filter(({ value }) => ROLES.includes(value)),
    limits: limitsOf({ default: ADMIN_ROUTES.createToken }),
    today: dayIn(readTimeZone(cookies.get(TIME_ZONE_COOKIE)), Date.now()),
    adminUrl: locals.adminApiUrl,
  };
};

export const actions = {
  /** The secret appears only in the response to the POST: never in an address, a cookie or a log. */
  default: formAction(
    ADMIN_ROUTES.createToken,
    (form, { cookies }) => {
      const { fields, errors } = readTokenForm(form, readTimeZone(cookies.get(TIME_ZONE_COOKIE)));
      return errors ? failForm(form, 400, { errors }) : fields;
    },
    ({ secret, ...token }) => ({
      // Without a secret, the form was submitted before, and the secret was shown then.
      created: secret === null ? undefined : { token, secret },
      existing: secret === null ? token : undefined,
    }),
    { fieldOf: { '/expires_at': 'expires_on' }, explain: explainCidrs },
  ),
} satisfies Actions;
