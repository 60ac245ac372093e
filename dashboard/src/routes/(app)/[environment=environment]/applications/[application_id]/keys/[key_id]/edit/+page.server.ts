import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { requireAccess } from '#lib/server/access.ts';
import { changedKeyFields, keyFormValues, readKeyForm } from '#lib/server/applications/key-form.ts';
import { readKey } from '#lib/server/applications/read-keys.ts';
import { explainCidrs } from '#lib/server/credentials/restrictions.ts';
import { limitsOf } from '#lib/server/field-limits.ts';
import { redirectWithFlash } from '#lib/server/flash.ts';
import { formAction } from '#lib/server/form-action.ts';
import { dayIn } from '#lib/server/zoned-time.ts';
import type { Actions, PageServerLoad, RequestEvent } from './$types';

export const load: PageServerLoad = async (event) => {
  const { locals, params, parent } = event;
  const { me, application } = await parent();
  requireAccess(ADMIN_ROUTES.updateKey, `Changing ${params.environment} keys`, me.role, params.environment);
  const key = await readKey(event);
  const { timeZone } = locals;
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
      const { timeZone } = event.locals;
      const [key, application] = await Promise.all([
        readKey(event),
        event.locals.admin.call(ADMIN_ROUTES.getApplication, { application_id }),
      ]);
      const shown = keyFormValues(key, application, timeZone);
      return { key_id, ...changedKeyFields(shown, readKeyForm(form, timeZone), timeZone) };
    },
    (_, __, event) => {
      const { application_id, environment, key_id } = event.params;
      redirectWithFlash(event, 'key-saved', `/${environment}/applications/${application_id}/keys/${key_id}`);
    },
    { fieldOf: { '/expires_at': 'expires_on' }, explain: explainCidrs },
  ),
} satisfies Actions;
