import { readConfig } from '@tollgate/runtime/config';
import { expect, it } from 'vitest';
import { keyring } from './key-variables.ts';

it('a keyring variable never shows a key in its error', () => {
  const secret = Buffer.from('short secret').toString('base64');
  try {
    readConfig({ KEYS: `1:${secret}` }, { keys: keyring('KEYS', 'Keys.') });
    expect.unreachable();
  } catch (error) {
    expect(String(error)).toContain('KEYS has a key of 12 bytes in version 1');
    expect(String(error)).not.toContain(secret);
  }
});

it('a keyring variable uses the first key as the current one', () => {
  const [old, current] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const { keys } = readConfig(
    { KEYS: `2:${current.toString('base64')},1:${old.toString('base64')}` },
    { keys: keyring('KEYS', 'Keys.') },
  );
  expect(keys.current).toEqual({ version: '2', key: current });
  expect(keys.get('1')).toEqual(old);
  expect(keys.get('3')).toBeUndefined();
});
