import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { readForm, submitForm } from '#lib/server/form.ts';
import type { Actions } from './$types';

export const actions = {
  default: async ({ request, locals }) => {
    const form = await readForm(request);
    return submitForm(form, async () => {
      await locals.admin.call(ADMIN_ROUTES.changePassword, {
        current_password: form.secret('current_password'),
        new_password: form.secret('new_password'),
      });
      return {
        done: 'Password changed. Your other sessions and the access of programs that act for you have ended.',
      };
    });
  },
} satisfies Actions;
