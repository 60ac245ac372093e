import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { deviceName } from '#lib/people/device-name.ts';
import { redirectWithFlash } from '#lib/server/flash.ts';
import { failForm } from '#lib/server/form.ts';
import { formAction } from '#lib/server/form-action.ts';
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
  start: formAction(
    ADMIN_ROUTES.startPasskey,
    (form) => {
      form.required('name', 'Enter a name.');
      return { current_password: form.secret('current_password') };
    },
    ({ options }, form) => ({ creation: { name: form.text('name'), options } }),
  ),

  create: formAction(
    ADMIN_ROUTES.createPasskey,
    (form) => {
      const credential = readNewCredential(form.text('credential'));
      if (credential === null)
        return failForm(form, 400, { message: 'The browser sent no passkey. Try again.' });
      return { name: form.text('name'), credential };
    },
    ({ recovery_codes }, _, event) => {
      if (recovery_codes.length > 0) return { done: 'Passkey added.', recoveryCodes: recovery_codes };
      redirectWithFlash(event, 'passkey-added', nextOf(event.url));
    },
  ),
} satisfies Actions;

/** Where the member came from. */
function nextOf(url: URL): string {
  const next = url.searchParams.get('next');
  return next === null ? ACCOUNT : safeNextPath(next);
}
