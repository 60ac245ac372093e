import { createPrivateKey, createPublicKey } from 'node:crypto';
import { ConfigError, type Environment, readConfig, type Variable } from '@tollgate/runtime/config';
import { keyring, parsePemKeys, signer } from '@tollgate/security/key-variables';
import { serviceVariables } from '@tollgate/service/service';

/** An attacker could guess a short token before the operator uses it. */
const MIN_SETUP_TOKEN_LENGTH = 24;

export type AccountsConfig = ReturnType<typeof readAccountsConfig>;

/** Reads and validates the environment. Throws one ConfigError that names every invalid variable. */
export function readAccountsConfig(env: Environment) {
  const config = readConfig(env, accountsVariables);
  if (!config.actorPublicKeys.some((key) => isPublicHalf(key, config.actorSigningKey))) {
    // Without it, this and every other service would reject every member's token.
    throw new ConfigError(['ACTOR_PUBLIC_KEYS must contain the public half of ACTOR_SIGNING_KEY.']);
  }
  return config;
}

const actorSigningKey: Variable<string> = {
  name: 'ACTOR_SIGNING_KEY',
  description:
    'Signs the tokens with which members call the services. Its public half is in `ACTOR_PUBLIC_KEYS`.',
  type: 'PEM of an Ed25519 key (PKCS #8), or its base64 encoding',
  isSecret: true,
  parse(text) {
    const [key, ...more] = parsePemKeys(text);
    if (key === undefined || more.length > 0 || !isEd25519PrivateKey(key)) {
      throw new Error('must be one Ed25519 private key in PEM format (PKCS #8), or its base64 encoding');
    }
    return key;
  },
};

/** Null when unset: the installation then cannot be set up. */
const setupToken: Variable<string | null> = {
  name: 'SETUP_TOKEN',
  description:
    'Proof of the operator, for the first setup and for resetting the password of an installation admin. Without it, neither is possible.',
  type: `text of at least ${MIN_SETUP_TOKEN_LENGTH} characters`,
  isSecret: true,
  fallback: null,
  parse(text) {
    if (text.length >= MIN_SETUP_TOKEN_LENGTH) return text;
    throw new Error(`must have at least ${MIN_SETUP_TOKEN_LENGTH} characters; generate it randomly`);
  },
};

export const accountsVariables = {
  ...serviceVariables,
  signer: signer('accounts', 'The first key signs audit entries.'),
  encryptionKeys: keyring(
    'ACCOUNTS_ENCRYPTION_KEYS',
    'Encrypt the secrets of authenticator apps and device tokens. The first key encrypts new ones.',
  ),
  actorSigningKey,
  setupToken,
};

function isEd25519PrivateKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'ed25519';
  } catch {
    return false;
  }
}

function isPublicHalf(publicPem: string, privatePem: string): boolean {
  try {
    return createPublicKey(publicPem).equals(createPublicKey(privatePem));
  } catch {
    return false;
  }
}
