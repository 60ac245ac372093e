import { redirect } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { deviceName } from '#lib/people/device-name.ts';
import { setFlash } from '#lib/server/flash.ts';
import { failForm, readForm, submitForm } from '#lib/server/form.ts';
import { readNewCredential } from '#lib/server/passkeys/read-credential.ts';
import { safeNextPath } from '#lib/server/sign-in-path.ts';
import type { Actions, PageServerLoad } from './$types';

const ACCOUNT = '/account';

export const load: PageServerLoad = ({ request, url }) => ({
  next: nextOf(url),
  suggestedName: deviceName(request.headers.get('user-agent')),
});

export const actions = {
  /** Confirms the password, and returns the options with which the browser creates the passkey. */
  start: async ({ request, locals }) => {
    const form = await readForm(request);
    const name = form.required('name', 'Enter a name.');
    return submitForm(form, async () => {
      const { options } = await locals.admin.call(ADMIN_ROUTES.startPasskey, {
        current_password: form.secret('current_password'),
      });
      return { creation: { name, options } };
    });
  },

  create: async ({ request, locals, cookies, url }) => {
    const form = await readForm(request);
    const credential = readNewCredential(form.text('credential'));
    if (credential === null)
      return failForm(form, 400, { message: 'The browser sent no passkey. Try again.' });
    return submitForm(form, async () => {
      const { recovery_codes } = await locals.admin.call(ADMIN_ROUTES.createPasskey, {
        name: form.text('name'),
        credential,
      });
      if (recovery_codes.length > 0) return { done: 'Passkey added.', recoveryCodes: recovery_codes };
      setFlash({ locals, cookies }, 'passkey-added');
      redirect(303, nextOf(url));
    });
  },
} satisfies Actions;

/** Where the member came from. */
function nextOf(url: URL): string {
  const next = url.searchParams.get('next');
  return next === null ? ACCOUNT : safeNextPath(next);
}
