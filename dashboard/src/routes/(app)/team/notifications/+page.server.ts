import { NOTICE_TOPICS } from '@tollgate/contracts/accounts/notice-topics';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { failForm, readForm, submitForm } from '#lib/server/form.ts';
import { pagePart } from '#lib/server/page-part.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, parent }) => {
  await parent();
  return { chat: await pagePart('notifications', locals.admin.call(ADMIN_ROUTES.getTeamChat, {})) };
};

export const actions = {
  webhook: async ({ request, locals }) => {
    const form = await readForm(request);
    const url = form.text('secret_url');
    if (url === '') return failForm(form, 400, { errors: { secret_url: 'Enter the URL of the webhook.' } });
    const run = async () => {
      const { webhook } = await locals.admin.call(ADMIN_ROUTES.setTeamChat, { url });
      return { form: 'webhook', done: `Webhook set. Notices are posted to ${webhook?.host}.` };
    };
    return submitForm(form, run, { '/url': 'secret_url' });
  },

  topics: async ({ request, locals }) => {
    const form = await readForm(request);
    const chosen = new Set(form.all('topics'));
    return submitForm(form, async () => {
      const topics = NOTICE_TOPICS.filter((topic) => chosen.has(topic));
      await locals.admin.call(ADMIN_ROUTES.setTeamChat, { topics });
      return { form: 'topics', done: topics.length === 0 ? 'No notices are posted.' : 'Topics saved.' };
    });
  },

  test: async ({ request, locals }) => {
    const form = await readForm(request);
    return submitForm(form, async () => {
      const { is_delivered, reason } = await locals.admin.call(ADMIN_ROUTES.testTeamChat, {});
      if (is_delivered) return { form: 'test', done: 'Test message posted.' };
      return failForm(form, 400, { message: `The test message was not posted. ${reason ?? ''}`.trim() });
    });
  },

  remove: async ({ request, locals }) => {
    const form = await readForm(request);
    return submitForm(form, async () => {
      await locals.admin.call(ADMIN_ROUTES.removeTeamChat, {});
      return { form: 'remove', done: 'Webhook removed. Notices are no longer posted to a chat.' };
    });
  },
} satisfies Actions;
