import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { readForm, submitForm } from '#lib/server/form.ts';
import { sendsMail } from '#lib/server/installation.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals }) => ({ sendsMail: await sendsMail(locals.admin) });

export const actions = {
  async default({ request, locals }) {
    const form = await readForm(request);
    return submitForm(form, async () => {
      const email = form.text('email').trim();
      await locals.admin.call(ADMIN_ROUTES.requestResetLink, { email });
      return { sentTo: email };
    });
  },
} satisfies Actions;
