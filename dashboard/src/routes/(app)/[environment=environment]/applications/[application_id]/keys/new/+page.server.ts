import { randomUUID } from 'node:crypto';
import { error } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { ROLE_BY_ENVIRONMENT } from '@tollgate/contracts/platform/roles';
import { readKeyForm } from '#lib/server/applications/key-form.ts';
import { dayIn, endOfDay } from '#lib/server/credentials/expiry.ts';
import { nameRejectedCidrs } from '#lib/server/credentials/rejected-cidrs.ts';
import { limitsOf } from '#lib/server/field-limits.ts';
import { readForm, submitForm } from '#lib/server/form.ts';
import { readTimeZone, TIME_ZONE_COOKIE } from '#lib/server/time-zone.ts';
import type { Actions, PageServerLoad } from './$types';

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

export const actions: Actions = {
  /** The secret appears only in the response to the POST: never in an address, a cookie or a log. */
  default: async ({ locals, cookies, params, request }) => {
    const form = await readForm(request);
    const timeZone = readTimeZone(cookies.get(TIME_ZONE_COOKIE));
    const typed = readKeyForm(form, timeZone);
    return submitForm(
      form,
      async () => {
        const { application_id, environment } = params;
        const { name, scopes, allowedCidrs: allowed_cidrs } = typed;
        const expires_at = endOfDay(typed.expiresOn, timeZone);
        const { secret, ...created } = await locals.admin
          .call(
            ADMIN_ROUTES.createKey,
            {
              application_id,
              environment,
              name,
              allowed_cidrs,
              ...(scopes && { scopes }),
              ...(expires_at && { expires_at }),
            },
            { idempotencyKey: form.idempotencyKey() },
          )
          .catch((problem) => {
            throw nameRejectedCidrs(problem, allowed_cidrs);
          });
        // The form was submitted before, and the secret was shown then.
        if (secret === null) return { existing: created };
        return { made: { key: created, secret, idempotencyKey: randomUUID() } };
      },
      { '/expires_at': 'expires_on' },
    );
  },
};
