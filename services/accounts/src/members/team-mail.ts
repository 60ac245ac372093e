import type { NoticeTopic } from '@tollgate/contracts/accounts/notice-topics';
import { otherTopics } from '../notices/other-topics.ts';
import type { Member } from './member.ts';

/** The member's choice of mail about the team. */
type TeamMail = Pick<Member, 'getsTeamMail' | 'mutedMailTopics'>;

/** The topics of notices to the team that the member gets by mail. */
export function mailedTopics({ getsTeamMail, mutedMailTopics }: TeamMail): NoticeTopic[] {
  return getsTeamMail ? otherTopics(mutedMailTopics) : [];
}

/** The choice of these topics. Without any, mail is off, also about topics of a later release. */
export function teamMailAbout(topics: readonly NoticeTopic[]): TeamMail {
  return topics.length === 0
    ? { getsTeamMail: false, mutedMailTopics: [] }
    : { getsTeamMail: true, mutedMailTopics: otherTopics(topics) };
}
