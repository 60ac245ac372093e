import type { MESSAGE_TEMPLATE_KINDS } from '@tollgate/contracts/message-template';
import { noticeText } from '../chat/chat-text.ts';
import type { Letter } from '../mail/letter.ts';
import { ACCOUNT_ACTIONS, type AccountAction, accountLetter } from '../mail/letters/account-letter.ts';
import { invitationLetter } from '../mail/letters/invitation-letter.ts';
import { passwordResetLetter } from '../mail/letters/password-reset-letter.ts';
import { teamLetter } from '../mail/letters/team-letter.ts';
import { DIGEST_ACTIONS, noticeOf } from '../notices/digest-notice.ts';
import { TEAM_ACTIONS, type TeamAction } from '../notices/team-notice.ts';
import { RESET_LINK_LIFETIME_MS } from '../passwords/new-reset-link.ts';
import { INVITATION_LIFETIME_MS } from '../teams/team.ts';
import { SAMPLE_ADDRESS, SAMPLE_COUNT, SAMPLE_TOKEN, type Sample } from './sample.ts';
import { accountSampleEntry, teamSampleEntry } from './sample-entries.ts';

/** What recipients read. */
export interface Message {
  letter: Letter;
  /** Null for a message that is only mailed. */
  chatText: string | null;
}

export interface MessageTemplate {
  id: string;
  kind: (typeof MESSAGE_TEMPLATE_KINDS)[number];
  /** Writes the message with the functions that write those that are sent. */
  write(sample: Sample): Message;
}

const INVITATION: MessageTemplate = {
  id: 'invitation',
  kind: 'link',
  write: ({ team, member, now, links }) => ({
    letter: invitationLetter(
      {
        to: 'new.member@example.com',
        teamName: team.name,
        inviterName: member.name,
        role: 'developer',
        expiresAt: new Date(now.getTime() + INVITATION_LIFETIME_MS),
        token: SAMPLE_TOKEN,
      },
      links,
    ),
    chatText: null,
  }),
};

const PASSWORD_RESET: MessageTemplate = {
  id: 'password_reset',
  kind: 'link',
  write: ({ team, member, now, links }) => ({
    letter: passwordResetLetter(
      {
        email: emailOf(member),
        address: SAMPLE_ADDRESS,
        resets: [{ teamName: team.name, token: SAMPLE_TOKEN }],
        expiresAt: new Date(now.getTime() + RESET_LINK_LIFETIME_MS),
      },
      links,
    ),
    chatText: null,
  }),
};

/** Every message that Tollgate sends. */
export const MESSAGE_TEMPLATES: readonly MessageTemplate[] = [
  INVITATION,
  PASSWORD_RESET,
  ...ACCOUNT_ACTIONS.map(accountTemplate),
  ...TEAM_ACTIONS.map(teamTemplate),
  ...DIGEST_ACTIONS.map(digestTemplate),
];

function accountTemplate(action: AccountAction): MessageTemplate {
  return {
    id: action,
    kind: 'account',
    write(sample) {
      const recipient = { to: emailOf(sample.member), teamName: sample.team.name };
      const letter = accountLetter(accountSampleEntry(action, sample), recipient, sample.links);
      if (!letter) throw new Error(`The sample of ${action} causes no letter.`);
      return { letter, chatText: null };
    },
  };
}

function teamTemplate(action: TeamAction): MessageTemplate {
  return { id: action, kind: 'team', write: (sample) => teamMessage(action, sample, 1) };
}

function digestTemplate(action: TeamAction): MessageTemplate {
  return {
    id: `${action}.digest`,
    kind: 'digest',
    write: (sample) => teamMessage(action, sample, SAMPLE_COUNT),
  };
}

function teamMessage(action: TeamAction, sample: Sample, count: number): Message {
  const entry = teamSampleEntry(action, sample);
  const notice = noticeOf(entry, count, sample.links);
  if (!notice) throw new Error(`The sample of ${action} causes no notice.`);
  const { team, member } = sample;
  return {
    letter: teamLetter(notice, entry, { to: emailOf(member), teamName: team.name }),
    chatText: noticeText(notice, team.name).text,
  };
}

/** Null only for a removed member, who reads no preview. */
function emailOf({ email }: Sample['member']): string {
  return email ?? '';
}
