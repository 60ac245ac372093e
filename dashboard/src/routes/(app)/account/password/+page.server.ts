import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { failForm, readForm, submitForm } from '#lib/server/form.ts';
import type { Actions } from './$types';

export const actions: Actions = {
  default: async ({ request, locals }) => {
    const form = await readForm(request);
    const newPassword = form.secret('new_password');
    if (newPassword !== form.secret('repeated_password')) {
      return failForm(form, 400, { errors: { repeated_password: 'This is not the same password.' } });
    }
    return submitForm(form, async () => {
      const currentPassword = form.secret('current_password');
      await locals.admin.call(ADMIN_ROUTES.changePassword, {
        current_password: currentPassword,
        new_password: newPassword,
      });
      return { done: 'The new password holds. Your other sessions have ended.' };
    });
  },
};
