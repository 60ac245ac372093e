import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { readForm, submitForm } from '#lib/server/form.ts';
import { sendsMail } from '#lib/server/installation.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals }) => {
  const [sessions, isMailOn] = await Promise.all([
    locals.admin.call(ADMIN_ROUTES.listSessions, {}),
    sendsMail(locals.admin),
  ]);
  return { sessionCount: sessions.data.length, sendsMail: isMailOn };
};

export const actions = {
  rename: async ({ request, locals }) => {
    const form = await readForm(request);
    return submitForm(form, async () => {
      const me = await locals.admin.call(ADMIN_ROUTES.updateProfile, { name: form.text('name') });
      return { done: `Name changed to ${me.name}.` };
    });
  },

  mail: async ({ request, locals }) => {
    const form = await readForm(request);
    return submitForm(form, async () => {
      const { team_mail } = await locals.admin.call(ADMIN_ROUTES.updateProfile, {
        team_mail: form.text('team_mail') === 'on',
      });
      return { done: `Email about your team is ${team_mail ? 'on' : 'off'}.` };
    });
  },
} satisfies Actions;
