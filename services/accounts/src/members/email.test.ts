import { describe, expect, it } from 'vitest';
import { normalizeEmail, parseEmail } from './email.ts';

describe('an email address', () => {
  it.each([
    ['Ada@Example.COM', 'ada@example.com'],
    ['  ada@example.com\n', 'ada@example.com'],
    ['ａｄａ＠example.com', 'ada@example.com'],
    ['jose\u0301@example.com', 'jos\u00e9@example.com'],
  ])('%j is the same as %j', (written, normal) => {
    expect(normalizeEmail(written)).toBe(normal);
    expect(parseEmail(written)).toBe(normal);
  });

  it.each(['', 'ada', '@example.com', 'ada@', 'a@b@c', 'a da@example.com', `${'a'.repeat(65)}@b.c`])(
    '%j is rejected, with the field named',
    (text) => {
      expect(() => parseEmail(text, '/owner_email')).toThrow(
        expect.objectContaining({
          details: expect.objectContaining({
            code: 'invalid-request',
            errors: [expect.objectContaining({ pointer: '/owner_email' })],
          }),
        }),
      );
    },
  );
});
