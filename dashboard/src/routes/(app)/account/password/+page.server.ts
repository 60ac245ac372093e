import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { formAction } from '#lib/server/form-action.ts';
import type { Actions } from './$types';

export const actions = {
  default: formAction(
    ADMIN_ROUTES.changePassword,
    (form) => ({
      current_password: form.secret('current_password'),
      new_password: form.secret('new_password'),
    }),
    'Password changed. Your other sessions and the access of programs that act for you have ended.',
  ),
} satisfies Actions;
