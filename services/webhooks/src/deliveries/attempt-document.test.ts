import { describe, expect, it } from 'vitest';
import { toAttempt, toAttemptDocument } from './attempt-document.ts';
import type { Attempt } from './delivery.ts';

const ATTEMPT: Attempt = {
  id: 'att_1',
  number: 1,
  at: new Date(0),
  durationMs: 12,
  error: null,
  url: 'https://example.com',
  requestHeaders: { 'webhook-id': 'evt_1' },
  response: { status: 200, headers: { 'a.b': '1', $set: '2' }, body: 'ok', bytes: 2, truncated: false },
};

describe('a stored attempt', () => {
  it('round-trips through its stored form', () => {
    expect(toAttempt(toAttemptDocument(ATTEMPT))).toEqual(ATTEMPT);
    const pending = { ...ATTEMPT, response: null };
    expect(toAttempt(toAttemptDocument(pending))).toEqual(pending);
  });

  it('a stored attempt has snake_case fields', () => {
    for (const name of Object.keys(toAttemptDocument(ATTEMPT))) expect(name).toMatch(/^[a-z_]+$/);
  });
});
