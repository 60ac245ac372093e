import { generateKeyPairSync } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { MAX_REMEMBERED, rememberValid } from './remember-valid.ts';

const newKey = () => generateKeyPairSync('ed25519').publicKey;
const key = newKey();
const signature = Buffer.from('valid');
const checked: string[] = [];
const isValid = rememberValid((text, publicKey, value) => {
  checked.push(text);
  return publicKey === key && value.equals(signature);
});
beforeEach(() => void checked.splice(0));

it('a valid signature is checked once', () => {
  expect([isValid('a', key, signature), isValid('a', key, signature)]).toEqual([true, true]);
  expect(checked).toEqual(['a']);
});

it('a signature that is not valid is checked each time', () => {
  expect([isValid('b', newKey(), signature), isValid('b', newKey(), signature)]).toEqual([false, false]);
  expect(checked).toEqual(['b', 'b']);
});

it('a valid signature is checked again for another text, key, or signature', () => {
  expect(isValid('c', key, signature)).toBe(true);
  expect(isValid('d', key, signature)).toBe(true);
  expect(isValid('c', newKey(), signature)).toBe(false);
  expect(isValid('c', key, Buffer.from('other'))).toBe(false);
  expect(checked).toEqual(['c', 'd', 'c', 'c']);
});

it('a valid signature is forgotten when many others follow', () => {
  for (let text = 0; text <= MAX_REMEMBERED; text += 1) isValid(`text ${text}`, key, signature);
  checked.length = 0;
  expect(isValid(`text ${MAX_REMEMBERED}`, key, signature)).toBe(true);
  expect(checked).toEqual([]);
  expect(isValid('text 0', key, signature)).toBe(true);
  expect(checked).toEqual(['text 0']);
});
