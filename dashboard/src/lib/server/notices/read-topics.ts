import { NOTICE_TOPICS, type NoticeTopic } from '@tollgate/contracts/accounts/notice-topics';
import type { Form } from '../form.ts';

/** The topics whose switches are on. */
export function readTopics(form: Form): NoticeTopic[] {
  const chosen = new Set(form.all('topics'));
  return NOTICE_TOPICS.filter((topic) => chosen.has(topic));
}
