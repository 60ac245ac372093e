import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { requireAccess } from '#lib/server/access.ts';
import { readKeyForm } from '#lib/server/applications/key-form.ts';
import { endOfDay, explainCidrs } from '#lib/server/credentials/restrictions.ts';
import { limitsOf } from '#lib/server/field-limits.ts';
import { formAction } from '#lib/server/form-action.ts';
import { dayIn } from '#lib/server/zoned-time.ts';
import type { Actions, PageServerLoad, RequestEvent } from './$types';

export const load: PageServerLoad = async ({ locals, params, parent }) => {
  const { me } = await parent();
  requireAccess(ADMIN_ROUTES.createKey, `Creating ${params.environment} keys`, me.role, params.environment);
  return {
    idempotencyKey: crypto.randomUUID(),
    limits: limitsOf({ default: ADMIN_ROUTES.createKey }),
    today: dayIn(locals.timeZone, Date.now()),
    apiUrl: locals.apiUrls[params.environment],
  };
};

export const actions = {
  /** The secret appears only in the response to the POST: never in an address, a cookie or a log. */
  default: formAction(
    ADMIN_ROUTES.createKey,
    (form, { locals: { timeZone }, params }: RequestEvent) => {
      const { name, scopes, allowedCidrs, expiresOn } = readKeyForm(form, timeZone);
      return {
        application_id: params.application_id,
        environment: params.environment,
        name,
        allowed_cidrs: allowedCidrs,
        scopes: scopes ?? undefined,
        expires_at: endOfDay(expiresOn, timeZone) ?? undefined,
      };
    },
    ({ secret, ...key }) => ({
      // Without a secret, the form was submitted before, and the secret was shown then.
      made: secret === null ? undefined : { key, secret, idempotencyKey: crypto.randomUUID() },
      existing: secret === null ? key : undefined,
    }),
    { fieldOf: { '/expires_at': 'expires_on' }, explain: explainCidrs },
  ),
} satisfies Actions;
