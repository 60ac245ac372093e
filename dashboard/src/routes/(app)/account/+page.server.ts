import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { readForm, submitForm } from '#lib/server/form.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals }) => {
  const sessions = await locals.admin.call(ADMIN_ROUTES.listSessions, {});
  return { sessionCount: sessions.data.length };
};

export const actions = {
  rename: async ({ request, locals }) => {
    const form = await readForm(request);
    return submitForm(form, async () => {
      const me = await locals.admin.call(ADMIN_ROUTES.updateProfile, { name: form.text('name') });
      return { done: `Name changed to ${me.name}.` };
    });
  },
} satisfies Actions;
