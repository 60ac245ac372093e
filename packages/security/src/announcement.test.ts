import { expect, it } from 'vitest';
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

it('announcements of payments instances are accepted when signed and recent', () => {
  expect(verifyAnnouncement(keyring, signAnnouncement(keyring, announcement), nowMs + 29_000)).toEqual({
    announcement,
  });
});

it('announcements of payments instances are rejected when unsigned, altered, or signed with another key', () => {
  const text = signAnnouncement(keyring, announcement);
  const rejected = {
    reason: 'invalid signature',
    detail: 'INTERNAL_SIGNING_KEYS has another key in version 1',
    instanceId: null,
  };
  expect(verifyAnnouncement(keyring, JSON.stringify(announcement), nowMs)).toEqual({
    rejected: { reason: 'invalid format', detail: 'it is not signed', instanceId: null },
  });
  expect(verifyAnnouncement(keyring, text.replace(':4000', ':4001'), nowMs)).toEqual({ rejected });
  expect(verifyAnnouncement(otherKeyring, text, nowMs)).toEqual({ rejected });
});

it('announcements of payments instances are rejected with the version of a key that is not in the ring', () => {
  const next = parseKeyring(`2:${Buffer.alloc(32, 9).toString('base64')}`);
  expect(verifyAnnouncement(keyring, signAnnouncement(next, announcement), nowMs)).toEqual({
    rejected: { reason: 'unknown key', detail: 'INTERNAL_SIGNING_KEYS has no version 2', instanceId: null },
  });
});

it('announcements of payments instances are rejected with the id of the instance when its clock is wrong', () => {
  const text = signAnnouncement(keyring, announcement);
  for (const [offMs, direction] of [
    [-31_000, 'ahead of'],
    [31_000, 'behind'],
  ] as const) {
    const detail = `its clock is 31.0 s ${direction} this one, and 30 s are allowed`;
    expect(verifyAnnouncement(keyring, text, nowMs + offMs)).toEqual({
      rejected: { reason: 'clock difference too large', detail, instanceId: 'a' },
    });
  }
});

it('announcements of payments instances are rejected when their URL is not an http origin', () => {
  for (const url of ['http://user@host', 'http://host/path', 'file:///etc', 'http://host?x']) {
    expect(verifyAnnouncement(keyring, signAnnouncement(keyring, { ...announcement, url }), nowMs)).toEqual({
      rejected: { reason: 'invalid format', detail: 'its fields are not valid', instanceId: null },
    });
  }
});
