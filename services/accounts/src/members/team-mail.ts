import type { NoticeTopic } from '@tollgate/contracts/accounts/notice-topics';
import { otherTopics } from '../notices/other-topics.ts';
import type { Member } from './member.ts';

/** The member's choice of mail about the team. */
type TeamMail = Pick<Member, 'gets_team_mail' | 'muted_mail_topics'>;

/** The topics of notices to the team that the member gets by mail. */
export function mailedTopics({ gets_team_mail, muted_mail_topics }: TeamMail): NoticeTopic[] {
  return gets_team_mail ? otherTopics(muted_mail_topics) : [];
}

/** The choice of these topics. Without any, mail is off, also about topics of a later release. */
export function teamMailAbout(topics: readonly NoticeTopic[]): TeamMail {
  return topics.length === 0
    ? { gets_team_mail: false, muted_mail_topics: [] }
    : { gets_team_mail: true, muted_mail_topics: otherTopics(topics) };
}
