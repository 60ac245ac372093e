import { generateApiKey } from '@tollgate/security/api-key';
import { expect, it } from 'vitest';
import { credentialIn, queryWithoutSecrets } from './credential.ts';

const { credential, lookupId } = generateApiKey('live');

it.each([credential, ` Authorization: Bearer ${credential}`, `KEY="${credential}"`, credential.slice(0, -9)])(
  'the public part of a key is found in %j',
  (text) => {
    expect(credentialIn(text)).toEqual({ kind: 'live', lookupId });
  },
);

it('the beginning of a key is found as far as it is public', () => {
  expect(credentialIn('tg_sandbox_AbC1')).toEqual({ kind: 'sandbox', lookupId: 'AbC1' });
  expect(credentialIn('tg_admin_')).toEqual({ kind: 'admin', lookupId: '' });
});

it('a text without a key has no public part', () => {
  for (const text of ['tg_', 'tg_test_1', 'order 7']) expect(credentialIn(text)).toBeNull();
});

it('a pasted key loses its secret part, and other text stays as it is', () => {
  const secret = `tg_live_${'a'.repeat(16)}_${'S'.repeat(43)}`;
  const fields = {
    search: `Bearer ${secret} order`,
    whole: secret,
    status: 'failed',
    other: 'order tg_1042',
  };
  expect(Object.fromEntries(queryWithoutSecrets(Object.entries(fields)))).toEqual({
    search: `Bearer tg_live_${'a'.repeat(16)} order`,
    whole: `tg_live_${'a'.repeat(16)}`,
    status: 'failed',
    other: 'order tg_1042',
  });
});
