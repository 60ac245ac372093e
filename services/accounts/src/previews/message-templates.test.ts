import { AUDIT_ACTIONS, type AuditAction, type AuditEntry } from '@tollgate/contracts/audit';
import { newId } from '@tollgate/contracts/ids';
import { SYSTEM_AUTHOR } from '@tollgate/store/audit-author';
import { describe, expect, it } from 'vitest';
import { created } from '../audit-entry.ts';
import type { MailTopic } from '../mail/mail.ts';
import { mailsAbout } from '../mail/mails-about.ts';
import { renderLetter } from '../mail/render-letter.ts';
import { createDashboardLinks } from '../notices/dashboard-links.ts';
import { noticeOf } from '../notices/digest-notice.ts';
import { isTeamNotice } from '../notices/team-notice.ts';
import { newTeam } from '../teams/team.ts';
import { MESSAGE_TEMPLATES } from './message-templates.ts';
import type { Sample } from './sample.ts';

const NOW = new Date('2026-11-26T14:05:00Z');
const MEMBER = { id: newId('member'), name: 'Ada', email: 'ada@example.com' };
const TEAM = newTeam(
  { name: 'Shop', memberships: [{ memberId: MEMBER.id, role: 'owner' }], invitations: [] },
  NOW,
);
const SAMPLE: Sample = {
  team: TEAM,
  member: MEMBER,
  now: NOW,
  links: createDashboardLinks('https://pay.example.com'),
};
const ACTIONS = Object.keys(AUDIT_ACTIONS) as AuditAction[];

/** Mails about both actions have the same link and the same words. */
const TEMPLATE_OF_INVITATION: Partial<Record<AuditAction, string>> = {
  'invitation.created': 'invitation',
  'invitation.resent': 'invitation',
};
/** The compiler demands an entry for each mail that no audit entry causes. */
const TEMPLATE_OF_TOPIC: Record<Exclude<MailTopic['type'], 'audit-entry'>, string> = {
  'password-reset': 'password_reset',
};

function entryOf(action: AuditAction): AuditEntry {
  return {
    id: newId('audit'),
    occurred_at: NOW.toISOString(),
    team_id: TEAM.id,
    environment: 'live',
    application_id: null,
    action,
    ...SYSTEM_AUTHOR,
    // A sign-in is reported to the actor.
    ...(action === 'member.signed_in' && { actor: { ...SYSTEM_AUTHOR.actor, id: MEMBER.id } }),
    target: { type: 'member', id: MEMBER.id, name: MEMBER.name },
    changes: { new_device: created(true) },
  };
}

describe('the templates', () => {
  it('are those of each mail, and no others', () => {
    const mailed = ACTIONS.filter((action) => mailsAbout(entryOf(action), TEAM, NOW).length > 0);
    const expected = new Set<string>([
      ...mailed.map((action) => TEMPLATE_OF_INVITATION[action] ?? action),
      ...Object.values(TEMPLATE_OF_TOPIC),
    ]);
    expect(
      ids()
        .filter((id) => !id.endsWith('.digest'))
        .toSorted(),
    ).toEqual([...expected].toSorted());
  });

  it('include each notice that is combined with others', () => {
    const combined = ACTIONS.filter((action) => {
      const [single, digest] = [1, 2].map((count) => noticeOf(entryOf(action), count, SAMPLE.links));
      return single?.subject !== digest?.subject;
    });
    expect(
      ids()
        .filter((id) => id.endsWith('.digest'))
        .toSorted(),
    ).toEqual(combined.map((action) => `${action}.digest`).toSorted());
  });

  it('have a chat message exactly where the chat gets one', () => {
    for (const { id, write } of MESSAGE_TEMPLATES) {
      const isPosted = ACTIONS.some(
        (action) => id.replace('.digest', '') === action && isTeamNotice(entryOf(action)),
      );
      expect({ id, isPosted: write(SAMPLE).chatText !== null }).toEqual({ id, isPosted });
    }
  });

  it.each(MESSAGE_TEMPLATES.map((template) => [template.id, template] as const))(
    'write %s completely',
    (_id, { write }) => {
      const { letter, chatText } = write(SAMPLE);
      const { text, html } = renderLetter(letter);
      const all = [letter.subject, text, html, chatText].join('\n');
      expect(all).not.toMatch(/undefined|null|NaN|\[object/);
      expect(letter.subject).not.toBe('');
      expect(letter.links).not.toHaveLength(0);
      for (const { url } of letter.links) expect(url).toMatch(/^https:\/\/pay\.example\.com\//);
    },
  );
});

function ids(): string[] {
  return MESSAGE_TEMPLATES.map(({ id }) => id);
}
