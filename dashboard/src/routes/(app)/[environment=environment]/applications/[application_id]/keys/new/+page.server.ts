import { randomUUID } from 'node:crypto';
import { error } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { ROLE_BY_ENVIRONMENT } from '@tollgate/contracts/platform/roles';
import { readKeyForm } from '#lib/server/applications/key-form.ts';
import { dayIn, endOfDay } from '#lib/server/credentials/expiry.ts';
import { explainCidrs } from '#lib/server/credentials/rejected-cidrs.ts';
import { limitsOf } from '#lib/server/field-limits.ts';
import { formAction } from '#lib/server/form-action.ts';
import { readTimeZone, TIME_ZONE_COOKIE } from '#lib/server/time-zone.ts';
import type { Actions, PageServerLoad, RequestEvent } from './$types';

export const load: PageServerLoad = async ({ locals, cookies, params, parent }) => {
  const { may } = await parent();
  if (!may.changeKeys) {
    error(403, {
      message: `Creating ${params.environment} keys requires the ${ROLE_BY_ENVIRONMENT[params.environment]} role. Ask an owner or admin of your team.`,
      requestId: locals.requestId,
    });
  }
  return {
    idempotencyKey: randomUUID(),
    limits: limitsOf({ default: ADMIN_ROUTES.createKey }),
    today: dayIn(readTimeZone(cookies.get(TIME_ZONE_COOKIE)), Date.now()),
    apiUrl: locals.apiUrls[params.environment],
  };
};

export const actions = {
  /** The secret appears only in the response to the POST: never in an address, a cookie or a log. */
  default: formAction(
    ADMIN_ROUTES.createKey,
    (form, { cookies, params }: RequestEvent) => {
      const timeZone = readTimeZone(cookies.get(TIME_ZONE_COOKIE));
      const { name, scopes, allowedCidrs, expiresOn } = readKeyForm(form, timeZone);
      const expires_at = endOfDay(expiresOn, timeZone);
      return {
        application_id: params.application_id,
        environment: params.environment,
        name,
        allowed_cidrs: allowedCidrs,
        ...(scopes && { scopes }),
        ...(expires_at && { expires_at }),
      };
    },
    ({ secret, ...key }) => ({
      // Without a secret, the form was submitted before, and the secret was shown then.
      made: secret === null ? undefined : { key, secret, idempotencyKey: randomUUID() },
      existing: secret === null ? key : undefined,
    }),
    { fieldOf: { '/expires_at': 'expires_on' }, explain: explainCidrs },
  ),
} satisfies Actions;
