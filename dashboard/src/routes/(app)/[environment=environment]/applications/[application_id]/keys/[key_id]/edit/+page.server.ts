import { error, redirect } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { ROLE_BY_ENVIRONMENT } from '@tollgate/contracts/platform/roles';
import { changedKeyFields, keyFormValues, readKeyForm } from '#lib/server/applications/key-form.ts';
import { readKey } from '#lib/server/applications/read-key.ts';
import { dayIn } from '#lib/server/credentials/expiry.ts';
import { explainCidrs } from '#lib/server/credentials/rejected-cidrs.ts';
import { limitsOf } from '#lib/server/field-limits.ts';
import { setFlash } from '#lib/server/flash.ts';
import { formAction } from '#lib/server/form-action.ts';
import { readTimeZone, TIME_ZONE_COOKIE } from '#lib/server/time-zone.ts';
import type { Actions, PageServerLoad, RequestEvent } from './$types';

export const load: PageServerLoad = async (event) => {
  const { locals, params, cookies, parent } = event;
  const { may, application } = await parent();
  if (!may.changeKeys) {
    error(403, {
      message: `Changing ${params.environment} keys requires the ${ROLE_BY_ENVIRONMENT[params.environment]} role. Ask an owner or admin of your team.`,
      requestId: locals.requestId,
    });
  }
  const key = await readKey(event);
  const timeZone = readTimeZone(cookies.get(TIME_ZONE_COOKIE));
  return {
    key,
    initial: keyFormValues(key, application, timeZone),
    limits: limitsOf({ default: ADMIN_ROUTES.updateKey }),
    today: dayIn(timeZone, Date.now()),
  };
};

export const actions = {
  default: formAction(
    ADMIN_ROUTES.updateKey,
    async (form, event: RequestEvent) => {
      const { application_id, key_id } = event.params;
      const timeZone = readTimeZone(event.cookies.get(TIME_ZONE_COOKIE));
      const [key, application] = await Promise.all([
        readKey(event),
        event.locals.admin.call(ADMIN_ROUTES.getApplication, { application_id }),
      ]);
      const shown = keyFormValues(key, application, timeZone);
      return { key_id, ...changedKeyFields(shown, readKeyForm(form, timeZone), timeZone) };
    },
    (_, __, event) => {
      const { application_id, environment, key_id } = event.params;
      setFlash(event, 'key-saved');
      redirect(303, `/${environment}/applications/${application_id}/keys/${key_id}`);
    },
    { fieldOf: { '/expires_at': 'expires_on' }, explain: explainCidrs },
  ),
} satisfies Actions;
