import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { readForm, submitForm } from '#lib/server/form.ts';
import type { Actions } from './$types';

export const actions = {
  default: async ({ request, locals }) => {
    const form = await readForm(request);
    return submitForm(form, async () => {
      const me = await locals.admin.call(ADMIN_ROUTES.changeEmail, {
        current_password: form.secret('current_password'),
        email: form.text('email'),
      });
      return { done: `Email changed. From now on, sign in with ${me.email}.` };
    });
  },
} satisfies Actions;
