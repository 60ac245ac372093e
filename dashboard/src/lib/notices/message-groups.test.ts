import type { MessageTemplate } from '@tollgate/contracts/message-template';
import { describe, expect, it } from 'vitest';
import { groupTemplates, messageHref } from './message-groups.ts';

const template = (id: string, kind: string) => ({ id, kind, subject: id }) as MessageTemplate;

describe('message templates', () => {
  it('are grouped by kind, in the order of the page', () => {
    const groups = groupTemplates([template('a', 'team'), template('b', 'link'), template('c', 'team')]);
    expect(groups.map(({ title, templates }) => [title, templates.map(({ id }) => id)])).toEqual([
      ['Invitations and passwords', ['b']],
      ['Team notices', ['a', 'c']],
    ]);
  });

  it('of a later release are listed last, in a group of their own', () => {
    const groups = groupTemplates([template('a', 'report'), template('b', 'digest')]);
    expect(groups.map(({ title }) => title)).toEqual(['Combined team notices', 'Other']);
  });

  it('have an address for each id', () => {
    expect(messageHref('key.expiring.digest')).toBe('/team/notifications/messages/key.expiring.digest');
  });
});
