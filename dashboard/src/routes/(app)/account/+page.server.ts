import { NOTICE_TOPICS } from '@tollgate/contracts/accounts/notice-topics';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { ACCOUNT_LIMITS } from '@tollgate/contracts/platform/account-limits';
import { takeFlash } from '#lib/server/flash.ts';
import { readForm, submitForm } from '#lib/server/form.ts';
import { sendsMail } from '#lib/server/installation.ts';
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
  rename: async ({ request, locals }) => {
    const form = await readForm(request);
    return submitForm(form, async () => {
      const me = await locals.admin.call(ADMIN_ROUTES.updateProfile, { name: form.text('name') });
      return { done: `Name changed to ${me.name}.` };
    });
  },

  renamePasskey: async ({ request, locals }) => {
    const form = await readForm(request);
    return submitForm(form, async () => {
      const { name } = await locals.admin.call(ADMIN_ROUTES.renamePasskey, {
        passkey_id: form.text('passkey_id'),
        name: form.text('name'),
      });
      return { done: `Passkey renamed to ${name}.` };
    });
  },

  removePasskey: async ({ request, locals }) => {
    const form = await readForm(request);
    return submitForm(form, async () => {
      await locals.admin.call(ADMIN_ROUTES.deletePasskey, {
        passkey_id: form.text('passkey_id'),
        current_password: form.secret('current_password'),
      });
      return { done: 'Passkey removed. Delete it from your device as well.' };
    });
  },

  mailTopics: async ({ request, locals }) => {
    const form = await readForm(request);
    const chosen = new Set(form.all('topics'));
    return submitForm(form, async () => {
      const topics = NOTICE_TOPICS.filter((topic) => chosen.has(topic));
      await locals.admin.call(ADMIN_ROUTES.updateProfile, { team_mail_topics: topics });
      const isOn = topics.length > 0;
      return { done: isOn ? 'Topics of email about your team saved.' : 'Email about your team is off.' };
    });
  },
} satisfies Actions;
