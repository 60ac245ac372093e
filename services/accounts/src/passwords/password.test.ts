import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { type Argon2Parameters, createPasswordHasher, PASSWORD_PARAMETERS } from './password.ts';

const weak = { memoryKib: 64, passes: 1, parallelism: 1 };
const hasher = createPasswordHasher({ parameters: weak });

it('a stored password matches that password and no other', async () => {
  const stored = await hasher.hash('correct horse battery', null);
  expect(await hasher.verify('correct horse battery', stored, null)).toBe(true);
  for (const wrong of ['correct horse batterY', 'correct horse battery ', '']) {
    expect(await hasher.verify(wrong, stored, null)).toBe(false);
  }
});

it('a stored password differs each time it is hashed', async () => {
  const [one, other] = [await hasher.hash('same', null), await hasher.hash('same', null)];
  expect(one.hash).not.toBe(other.hash);
  expect(one.salt).not.toBe(other.salt);
});

it('a stored password is the same whether a keyboard composes characters or not', async () => {
  const stored = await hasher.hash('caf\u00e9 cr\u00e8me br\u00fbl\u00e9e', null);
  expect(await hasher.verify('cafe\u0301 cre\u0300me bru\u0302le\u0301e', stored, null)).toBe(true);
});

it('a stored password uses at least the parameters that OWASP recommends', async () => {
  const { hash: _hash, salt: _salt, ...parameters } = await createPasswordHasher().hash('x', null);
  expect(parameters).toEqual({ algorithm: 'argon2id', ...PASSWORD_PARAMETERS });
  expect(PASSWORD_PARAMETERS.memoryKib).toBeGreaterThanOrEqual(19 * 1024);
  expect(PASSWORD_PARAMETERS.passes).toBeGreaterThanOrEqual(2);
});

it('a stored password is verified with its own parameters, and is outdated once the current ones are stronger', async () => {
  const stored = await hasher.hash('correct horse battery', null);
  const stronger = createPasswordHasher({ parameters: { ...weak, passes: 2 } });
  expect(await stronger.verify('correct horse battery', stored, null)).toBe(true);
  expect(stronger.isOutdated(stored)).toBe(true);
  expect(hasher.isOutdated(stored)).toBe(false);
  expect(hasher.isOutdated(await stronger.hash('x', null))).toBe(false);
});

it('an account that does not exist is rejected after the same work as a wrong password', async () => {
  const work: Argon2Parameters[] = [];
  const counting = createPasswordHasher({
    parameters: weak,
    derive: async (password, salt, { memoryKib, passes, parallelism }) => {
      expect(salt).toHaveLength(16);
      work.push({ memoryKib, passes, parallelism });
      return createHash('sha256').update(password).digest();
    },
  });
  const stored = await counting.hash('correct horse battery', null);
  work.length = 0;
  expect(await counting.verify('wrong', stored, null)).toBe(false);
  expect(await counting.verify('wrong', null, null)).toBe(false);
  expect(work).toEqual([weak, weak]);
});
