import { randomBytes } from 'node:crypto';
import { newId } from '@tollgate/contracts/platform/ids';
import { parseKeyring } from '@tollgate/security/keyring';
import { describe, expect, it } from 'vitest';
import { createSecretCipher } from './secret-cipher.ts';
import { newWebhookSecret } from './signing-secret.ts';

const keyText = (version: string) => `${version}:${randomBytes(32).toString('base64')}`;
const endpointId = newId('webhookEndpoint');

describe('an encrypted secret', () => {
  const [first, second] = [keyText('1'), keyText('2')];
  const cipher = createSecretCipher(parseKeyring(first));
  const secret = newWebhookSecret();

  it('an encrypted secret decrypts to the original, and reveals nothing of it', () => {
    const sealed = cipher.seal(secret, endpointId);
    expect(cipher.open(sealed, endpointId)).toBe(secret);
    expect(JSON.stringify(sealed)).not.toContain(secret.slice(6, 20));
  });

  it('an encrypted secret differs each time', () => {
    expect(cipher.seal(secret, endpointId).ciphertext).not.toBe(cipher.seal(secret, endpointId).ciphertext);
  });

  it('an encrypted secret cannot be decrypted for another endpoint', () => {
    const sealed = cipher.seal(secret, endpointId);
    expect(() => cipher.open(sealed, newId('webhookEndpoint'))).toThrow();
  });

  it.each(['iv', 'ciphertext', 'tag'] as const)(
    'an encrypted secret cannot be decrypted when its %s was changed',
    (part) => {
      const sealed = cipher.seal(secret, endpointId);
      const bytes = Buffer.from(sealed[part], 'base64');
      bytes[0] = (bytes[0] ?? 0) ^ 1;
      expect(() => cipher.open({ ...sealed, [part]: bytes.toString('base64') }, endpointId)).toThrow();
    },
  );

  it('an encrypted secret is decrypted after a key rotation, and names the variable when its key is missing', () => {
    const sealed = cipher.seal(secret, endpointId);
    const rotated = createSecretCipher(parseKeyring(`${second},${first}`));
    expect(rotated.open(sealed, endpointId)).toBe(secret);
    expect(rotated.seal(secret, endpointId).key_version).toBe('2');
    const dropped = createSecretCipher(parseKeyring(second));
    expect(() => dropped.open(sealed, endpointId)).toThrow('WEBHOOK_ENCRYPTION_KEYS');
  });
});
