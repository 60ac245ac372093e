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
  it('are heard when signed and fresh', () => {
    expect(verifyAnnouncement(keyring, signAnnouncement(keyring, announcement), nowMs + 29_000)).toEqual(
      announcement,
    );
  });

  it('are ignored when unsigned, altered, stale or signed by somebody else', () => {
    const text = signAnnouncement(keyring, announcement);
    expect(verifyAnnouncement(keyring, JSON.stringify(announcement), nowMs)).toBeNull();
    expect(verifyAnnouncement(keyring, text.replace(':4000', ':4001'), nowMs)).toBeNull();
    expect(verifyAnnouncement(keyring, text, nowMs + 31_000)).toBeNull();
    expect(verifyAnnouncement(otherKeyring, text, nowMs)).toBeNull();
  });

  it('are ignored when their URL is more than an origin', () => {
    for (const url of ['http://user@host', 'http://host/path', 'file:///etc', 'http://host?x']) {
      expect(
        verifyAnnouncement(keyring, signAnnouncement(keyring, { ...announcement, url }), nowMs),
      ).toBeNull();
    }
  });
});
