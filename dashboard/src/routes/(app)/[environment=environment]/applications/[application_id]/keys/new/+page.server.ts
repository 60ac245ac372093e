import { randomUUID } from 'node:crypto';
import { error } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { APPLICATION_LIMITS } from '@tollgate/contracts/application';
import { ROLE_BY_ENVIRONMENT } from '@tollgate/contracts/roles';
import { dayIn, endOfDay } from '#lib/server/applications/key-expiry.ts';
import { readCidrs } from '#lib/server/applications/read-cidrs.ts';
import { readScopes } from '#lib/server/applications/read-scopes.ts';
import { nameRejectedCidrs } from '#lib/server/applications/rejected-cidrs.ts';
import { createSentForms } from '#lib/server/applications/sent-forms.ts';
import { type Form, failForm, readForm, submitForm } from '#lib/server/form.ts';
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
    const { key, errors } = readKey(form, timeZone);
    if (Object.keys(errors).length > 0) return failForm(form, 400, { errors });

    return submitForm(
      form,
      async () => {
        const { application_id, environment } = params;
        const { secret, ...created } = await locals.admin
          .call(ADMIN_ROUTES.createKey, { application_id, environment, ...key })
          .catch((problem) => {
            throw nameRejectedCidrs(problem, key.allowed_cidrs ?? []);
          });
        sentForms.add(form.text('form_id'));
        return { made: { key: created, secret, idempotencyKey: randomUUID() } };
      },
      { '/expires_at': 'expires_on' },
    );
  },
};

/** The key that the form describes, and errors for fields that cannot be parsed. */
function readKey(form: Form, timeZone: string) {
  const errors: Record<string, string> = {};
  const name = form.text('name');
  if (name === '') errors['name'] = 'Enter a name.';

  const isNarrowed = form.text('scopes_choice') === 'some';
  const scopes = readScopes(form);
  if (isNarrowed && scopes.length === 0)
    errors['scopes'] = 'Select at least one scope, or inherit all application scopes.';

  const day = form.text('expires_on');
  const expiresAt = day === '' ? undefined : endOfDay(day, timeZone);
  if (expiresAt === null) errors['expires_on'] = 'Enter a valid date such as 2026-12-31.';

  const cidrs = readCidrs(form.text('allowed_cidrs'));
  const key = {
    name,
    ...(isNarrowed && { scopes }),
    ...(expiresAt && { expires_at: expiresAt }),
    ...(cidrs.length > 0 && { allowed_cidrs: cidrs }),
  };
  return { key, errors };
}
