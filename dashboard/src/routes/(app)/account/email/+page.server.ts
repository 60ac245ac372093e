import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { formAction } from '#lib/server/form-action.ts';
import type { Actions } from './$types';

export const actions = {
  default: formAction(
    ADMIN_ROUTES.changeEmail,
    (form) => ({ current_password: form.secret('current_password'), email: form.text('email') }),
    ({ email }) => ({ done: `Email changed. From now on, sign in with ${email}.` }),
  ),
} satisfies Actions;
