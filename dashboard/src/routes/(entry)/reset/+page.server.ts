import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { formAction } from '#lib/server/form-action.ts';
import { sendsMail } from '#lib/server/installation.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals }) => ({ sendsMail: await sendsMail(locals.admin) });

export const actions = {
  default: formAction(
    ADMIN_ROUTES.requestResetLink,
    (form) => ({ email: form.text('email') }),
    (_, form) => ({ sentTo: form.text('email') }),
  ),
} satisfies Actions;
