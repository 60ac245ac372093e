import { createPrivateKey } from 'node:crypto';
import type { SigningKey } from '@tollgate/audit-log/keys';
import { readConfig, url, type Variable } from '@tollgate/runtime/config';
import { verifierVariables } from '@tollgate/security/key-variables';
import { serviceVariables } from '@tollgate/service/service';

export type AuditConfig = ReturnType<typeof readAuditConfig>;

/** Reads and validates the environment. Throws one ConfigError that names every invalid variable. */
export function readAuditConfig(env: Record<string, string | undefined>) {
  return readConfig(env, {
    ...serviceVariables,
    ...verifierVariables,
    /** Keys that sign tree heads and records, by version; the first signs, the others are earlier ones. */
    signingKeys: signingKeys('AUDIT_SIGNING_KEYS'),
    /** Receives every signed tree head; empty for none. */
    witnessUrl: url('AUDIT_WITNESS_URL', { protocols: ['https', 'http'], default: '' }),
  });
}

/** `2:<base64>,1:<base64>`, each the PKCS #8 form of an Ed25519 key. */
function signingKeys(name: string): Variable<readonly [SigningKey, ...SigningKey[]]> {
  return {
    name,
    parse(text) {
      const keys = text.split(',').map(parseSigningKey);
      const versions = new Set(keys.map(({ version }) => version));
      if (versions.size < keys.length) throw new Error('must not repeat a version');
      return keys as [SigningKey, ...SigningKey[]];
    },
  };
}

/** Throws an Error that states the fault and never shows a key. */
function parseSigningKey(text: string): SigningKey {
  const [, version, encoded] = /^([1-9]\d{0,8}):([A-Za-z0-9+/]+=*)$/.exec(text.trim()) ?? [];
  if (version === undefined || encoded === undefined) {
    throw new Error('must be a list of <number>:<base64 of a PKCS #8 key>, separated by commas');
  }
  try {
    const privateKey = createPrivateKey({
      key: Buffer.from(encoded, 'base64'),
      format: 'der',
      type: 'pkcs8',
    });
    if (privateKey.asymmetricKeyType === 'ed25519') return { version: Number(version), privateKey };
  } catch {
    // Reported below.
  }
  throw new Error(`has no Ed25519 key in PKCS #8 format in version ${version}`);
}
