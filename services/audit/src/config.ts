import { createPrivateKey } from 'node:crypto';
import type { SigningKey } from '@tollgate/audit-log/keys';
import { type Environment, readConfig, url, type Variable } from '@tollgate/runtime/config';
import { verifierVariables } from '@tollgate/security/key-variables';
import { serviceVariables } from '@tollgate/service/service';

export type AuditConfig = ReturnType<typeof readAuditConfig>;

/** Reads and validates the environment. Throws one ConfigError that names every invalid variable. */
export function readAuditConfig(env: Environment) {
  return readConfig(env, auditVariables);
}

const signingKeys: Variable<readonly [SigningKey, ...SigningKey[]]> = {
  name: 'AUDIT_SIGNING_KEYS',
  description:
    'Sign records and tree heads. Keep an earlier key as long as its records: nothing else proves them.',
  type: 'Ed25519 keys in PKCS #8',
  isSecret: true,
  parse(text) {
    const keys = text.split(',').map(parseSigningKey);
    const versions = new Set(keys.map(({ version }) => version));
    if (versions.size < keys.length) throw new Error('must not repeat a version');
    return keys as [SigningKey, ...SigningKey[]];
  },
};

export const auditVariables = {
  ...serviceVariables,
  ...verifierVariables,
  signingKeys,
  witnessUrl: url('AUDIT_WITNESS_URL', {
    protocols: ['https', 'http'],
    default: '',
    isSecret: true,
    description: 'Receives every signed tree head, as a witness outside of MongoDB.',
  }),
};

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
