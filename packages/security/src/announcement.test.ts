import { describe, expect, it } from 'vitest';
import { type Announcement, signAnnouncement, verifyAnnouncement } from './announcement.ts';
import { parseKeyring } from './keyring.ts';

const keyring = parseKeyring(`1:${Buffer.alloc(32, 7).toString('base64')}`);
const otherKeyring = parseKeyring(`1:${Buffer.alloc(32, 8).toString('base64')}`);
const nowMs = Date.parse('2026-01-01T00:00:00Z');
const announcement: Announcement = {
  instance_id: 'a',
  url: 'http://127.0.0.1:4000',
  state: 'serving',
  sent_at: new Date(nowMs).toISOString(),
};

describe('announcements of payments instances', () => {
  it('are accepted when signed and recent', () => {
    expect(verifyAnnouncement(keyring, signAnnouncement(keyring, announcement), nowMs + 29_000)).toEqual({
      announcement,
    });
  });

  it('are rejected when unsigned, altered, or signed with another key', () => {
    const text = signAnnouncement(keyring, announcement);
    const rejected = { reason: 'invalid signature', instanceId: null };
    expect(verifyAnnouncement(keyring, JSON.stringify(announcement), nowMs)).toEqual({ rejected: rejected });
    expect(verifyAnnouncement(keyring, text.replace(':4000', ':4001'), nowMs)).toEqual({
      rejected: rejected,
    });
    expect(verifyAnnouncement(otherKeyring, text, nowMs)).toEqual({ rejected: rejected });
  });

  it('are rejected with the id of the instance when its clock is wrong', () => {
    const text = signAnnouncement(keyring, announcement);
    const rejected = { reason: 'clock difference too large', instanceId: 'a' };
    for (const offMs of [-31_000, 31_000]) {
      expect(verifyAnnouncement(keyring, text, nowMs + offMs)).toEqual({ rejected });
    }
  });

  it('are rejected when their URL is not an http origin', () => {
    for (const url of ['http://user@host', 'http://host/path', 'file:///etc', 'http://host?x']) {
      expect(verifyAnnouncement(keyring, signAnnouncement(keyring, { ...announcement, url }), nowMs)).toEqual(
        { rejected: { reason: 'invalid format', instanceId: null } },
      );
    }
  });
});
