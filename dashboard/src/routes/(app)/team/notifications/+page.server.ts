import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { allows, requireAccess } from '#lib/server/access.ts';
import { failForm } from '#lib/server/form.ts';
import { formAction } from '#lib/server/form-action.ts';
import { readTopics } from '#lib/server/notices/read-topics.ts';
import { pagePart } from '#lib/server/page-part.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, parent }) => {
  const { me } = await parent();
  requireAccess(ADMIN_ROUTES.getTeamChat, 'Reading where notices are sent', me.role);
  return {
    mayChange: allows(ADMIN_ROUTES.setTeamChat, me.role),
    chat: await pagePart('notifications', locals.admin.call(ADMIN_ROUTES.getTeamChat, {})),
  };
};

export const actions = {
  webhook: formAction(
    ADMIN_ROUTES.setTeamChat,
    (form) => ({ url: form.required('secret_url', 'Enter the URL of the webhook.') }),
    ({ webhook }) => ({ done: `Webhook set. Notices are posted to ${webhook?.host}.` }),
    { fieldOf: { '/url': 'secret_url' } },
  ),

  topics: formAction(
    ADMIN_ROUTES.setTeamChat,
    (form) => ({ topics: readTopics(form) }),
    (_, form) => ({ done: readTopics(form).length === 0 ? 'No notices are posted.' : 'Topics saved.' }),
  ),

  test: formAction(
    ADMIN_ROUTES.testTeamChat,
    () => ({}),
    ({ is_delivered, reason }, form) =>
      is_delivered
        ? { done: 'Test message posted.' }
        : failForm(form, 400, { message: `The test message was not posted. ${reason ?? ''}`.trim() }),
  ),

  remove: formAction(
    ADMIN_ROUTES.removeTeamChat,
    () => ({}),
    'Webhook removed. Notices are no longer posted to a chat.',
  ),
} satisfies Actions;
