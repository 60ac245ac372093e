import { parseKeyring } from '@tollgate/security/keyring';
import { expect, it } from 'vitest';
import { createSealer } from './sealing.ts';

const OLD = `1:${Buffer.alloc(32, 1).toString('base64')}`;
const NEW = `2:${Buffer.alloc(32, 2).toString('base64')}`;
const tomorrow = () => new Date(Date.now() + 86_400_000);

it('a sealed value opens for its purpose and does not reveal its content', async () => {
  const sealer = createSealer(parseKeyring(NEW));
  const sealed = await sealer.seal('session', { token: 'a-secret-token' }, tomorrow());
  expect(await sealer.open('session', sealed)).toEqual({ token: 'a-secret-token' });
  const parts = sealed.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
  expect(parts.join('.')).not.toContain('a-secret-token');
});

it('a sealed value does not open for another purpose', async () => {
  const sealer = createSealer(parseKeyring(NEW));
  const sealed = await sealer.seal('second-factor', { token: 'x' }, tomorrow());
  expect(await sealer.open('session', sealed)).toBeNull();
});

it('a sealed value opens with an older key of the ring, and not after that key is removed', async () => {
  const sealed = await createSealer(parseKeyring(OLD)).seal('session', { token: 'x' }, tomorrow());
  expect(await createSealer(parseKeyring(`${NEW},${OLD}`)).open('session', sealed)).toEqual({ token: 'x' });
  expect(await createSealer(parseKeyring(NEW)).open('session', sealed)).toBeNull();
});

it('a sealed value is sealed with the first key of the ring', async () => {
  const sealed = await createSealer(parseKeyring(`${NEW},${OLD}`)).seal(
    'session',
    { token: 'x' },
    tomorrow(),
  );
  expect(await createSealer(parseKeyring(NEW)).open('session', sealed)).toEqual({ token: 'x' });
  expect(await createSealer(parseKeyring(OLD)).open('session', sealed)).toBeNull();
});

it('a sealed value does not open when it is expired, tampered with or malformed', async () => {
  const sealer = createSealer(parseKeyring(NEW));
  const over = await sealer.seal('session', { token: 'x' }, new Date(Date.now() - 1_000));
  expect(await sealer.open('session', over)).toBeNull();

  const sealed = await sealer.seal('session', { token: 'x' }, tomorrow());
  const at = sealed.lastIndexOf('.') - 5;
  const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
  expect(await sealer.open('session', changed)).toBeNull();
  expect(await sealer.open('session', 'garbage')).toBeNull();
});
