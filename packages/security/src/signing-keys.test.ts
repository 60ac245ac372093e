import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSigner } from './signature.ts';
import { parseSignerPublicKeys, parseSigningKeys, signerPublicKeys } from './signing-keys.ts';

const exported = (type: 'ed25519' | 'ed448') =>
  (type === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ed448')).privateKey
    .export({ type: 'pkcs8', format: 'der' })
    .toString('base64');

describe('signing keys', () => {
  it('signing keys sign with the first version, and have public keys for all', () => {
    const text = `2:${exported('ed25519')},1:${exported('ed25519')}`;
    const { signature } = createSigner(parseSigningKeys('payments', text)).sign('payment_event', {});
    expect(signature.key_version).toBe('2');
    const find = parseSignerPublicKeys(signerPublicKeys('payments', text));
    expect([find('payments', '2'), find('payments', '1')]).not.toContain(undefined);
    expect(find('applications', '1')).toBeUndefined();
  });

  it.each([
    ['without a version', exported('ed25519'), 'must be a list of <version>'],
    ['that are not keys', '1:AAAA', 'cannot be decoded'],
    ['of another kind', `1:${exported('ed448')}`, 'is not Ed25519'],
  ])('%s are rejected, and never shown', (_, text, message) => {
    expect(() => parseSigningKeys('payments', text)).toThrow(message);
    expect(() => parseSigningKeys('payments', text)).not.toThrow(text);
  });
});

it('public keys of an unknown issuer are rejected', () => {
  const text = signerPublicKeys('payments', `1:${exported('ed25519')}`);
  expect(() => parseSignerPublicKeys(text.replace('payments', 'stranger'))).toThrow('<issuer>.<version>');
});

it('public keys with the same version twice are rejected', () => {
  const text = signerPublicKeys('payments', `1:${exported('ed25519')}`);
  expect(() => parseSignerPublicKeys(`${text},${text}`)).toThrow('contains payments.1 twice');
});
