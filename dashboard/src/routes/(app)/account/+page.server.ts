import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { ACCOUNT_LIMITS } from '@tollgate/contracts/platform/account-limits';
import { takeFlash } from '#lib/server/flash.ts';
import { formAction } from '#lib/server/form-action.ts';
import { sendsMail } from '#lib/server/installation.ts';
import { readTopics } from '#lib/server/notices/read-topics.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, cookies }) => {
  const [sessions, passkeys, isMailOn] = await Promise.all([
    locals.admin.call(ADMIN_ROUTES.listSessions, {}),
    locals.admin.call(ADMIN_ROUTES.listPasskeys, {}),
    sendsMail(locals.admin),
  ]);
  return {
    sessionCount: sessions.data.length,
    passkeys: passkeys.data,
    maxPasskeys: ACCOUNT_LIMITS.passkeysPerMember,
    sendsMail: isMailOn,
    flash: takeFlash(cookies, ['passkey-added']),
  };
};

export const actions = {
  rename: formAction(
    ADMIN_ROUTES.updateProfile,
    (form) => ({ name: form.text('name') }),
    ({ name }) => ({ done: `Name changed to ${name}.` }),
  ),

  renamePasskey: formAction(
    ADMIN_ROUTES.renamePasskey,
    (form) => ({ passkey_id: form.text('passkey_id'), name: form.text('name') }),
    ({ name }) => ({ done: `Passkey renamed to ${name}.` }),
  ),

  removePasskey: formAction(
    ADMIN_ROUTES.deletePasskey,
    (form) => ({ passkey_id: form.text('passkey_id'), current_password: form.secret('current_password') }),
    'Passkey removed. Delete it from your device as well.',
  ),

  mailTopics: formAction(
    ADMIN_ROUTES.updateProfile,
    (form) => ({ team_mail_topics: readTopics(form) }),
    (_, form) => ({
      done:
        readTopics(form).length > 0
          ? 'Topics of email about your team saved.'
          : 'Email about your team is off.',
    }),
  ),
} satisfies Actions;
