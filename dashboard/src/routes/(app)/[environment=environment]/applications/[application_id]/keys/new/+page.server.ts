import { randomUUID } from 'node:crypto';
import { error } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { APPLICATION_LIMITS } from '@tollgate/contracts/application';
import { ROLE_BY_ENVIRONMENT } from '@tollgate/contracts/roles';
import { shownOnce } from '@tollgate/contracts/shown-once';
import { dayIn, endOfDay } from '#lib/server/applications/key-expiry.ts';
import { keyFormErrors, readKeyForm } from '#lib/server/applications/key-form.ts';
import { nameRejectedCidrs } from '#lib/server/applications/rejected-cidrs.ts';
import { createSentForms } from '#lib/server/applications/sent-forms.ts';
import { failForm, readForm, submitForm } from '#lib/server/form.ts';
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
    /** Identifies this rendering of the form, so that repeated submissions create one key. */
    formId: randomUUID(),
    nameMaxLength: APPLICATION_LIMITS.keyName,
    today: dayIn(readTimeZone(cookies.get(TIME_ZONE_COOKIE)), Date.now()),
    apiUrl: locals.apiUrls[params.environment],
  };
};

export const actions: Actions = {
  /** The secret appears only in the response to the POST: never in an address, a cookie or a log. */
  default: async ({ locals, cookies, params, request, url }) => {
    const form = await readForm(request);
    const sentForms = createSentForms(cookies, { path: url.pathname, secure: locals.secure });
    if (sentForms.has(form.text('form_id'))) {
      // The values are cleared, so that submitting again cannot create the same key again.
      return failForm({ ...form, values: {}, lists: {} }, 409, {
        message:
          'This form was already submitted and the key was created. Its secret is not shown again. If you do not have it, rotate the key.',
      });
    }
    const timeZone = readTimeZone(cookies.get(TIME_ZONE_COOKIE));
    const typed = readKeyForm(form);
    const errors = keyFormErrors(typed, timeZone);
    if (Object.keys(errors).length > 0) return failForm(form, 400, { errors });

    return submitForm(
      form,
      async () => {
        const { application_id, environment } = params;
        const { name, scopes, allowedCidrs: allowed_cidrs } = typed;
        const expires_at = endOfDay(typed.expiresOn, timeZone);
        const { secret, ...created } = await locals.admin
          .call(ADMIN_ROUTES.createKey, {
            application_id,
            environment,
            name,
            allowed_cidrs,
            ...(scopes && { scopes }),
            ...(expires_at && { expires_at }),
          })
          .catch((problem) => {
            throw nameRejectedCidrs(problem, allowed_cidrs);
          });
        sentForms.add(form.text('form_id'));
        return { made: { key: created, secret: shownOnce(secret), idempotencyKey: randomUUID() } };
      },
      { '/expires_at': 'expires_on' },
    );
  },
};
