import { NOTICE_TOPICS, type NoticeTopic } from '@tollgate/contracts/accounts/notice-topics';

/** All topics but these. A choice is stored as the topics that it mutes, so that those of a later release are sent. */
export function otherTopics(topics: readonly NoticeTopic[]): NoticeTopic[] {
  return NOTICE_TOPICS.filter((topic) => !topics.includes(topic));
}
