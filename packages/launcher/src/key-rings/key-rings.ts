import { ISSUERS, type Issuer } from '@tollgate/contracts/platform/signature';

/** A process of docker-compose.yml that reads keys. */
export type KeyReader =
  | 'audit'
  | 'webhooks'
  | 'usage'
  | 'payments'
  | 'applications'
  | 'accounts'
  | 'gateway'
  | 'dashboard';

/** A list of keys in one variable: the first one signs or encrypts, all of them verify or decrypt. */
export interface KeyRing {
  kind: 'symmetric' | 'signing' | 'actor';
  /** Processes that read the variable. */
  readBy: readonly KeyReader[];
  /** Where others find the public halves. */
  published?: { variable: string; readBy: readonly KeyReader[] };
}

/** Rings whose keys the operator rotates, by their variable in the env file. */
export const KEY_RINGS: Readonly<Record<string, KeyRing>> = {
  INTERNAL_SIGNING_KEYS: { kind: 'symmetric', readBy: ['payments', 'gateway'] },
  API_KEY_PEPPERS: { kind: 'symmetric', readBy: ['applications', 'gateway'] },
  ACTOR_SIGNING_KEY: {
    kind: 'actor',
    readBy: ['accounts'],
    published: {
      variable: 'ACTOR_PUBLIC_KEYS',
      readBy: ['audit', 'webhooks', 'usage', 'payments', 'applications', 'accounts'],
    },
  },
  ...Object.fromEntries(
    ISSUERS.map((issuer) => [`${issuer.toUpperCase()}_SIGNING_KEYS`, signingRing(issuer)]),
  ),
  AUDIT_SIGNING_KEYS: { kind: 'signing', readBy: ['audit'] },
  WEBHOOK_ENCRYPTION_KEYS: { kind: 'symmetric', readBy: ['webhooks'] },
  ACCOUNTS_ENCRYPTION_KEYS: { kind: 'symmetric', readBy: ['accounts'] },
  SESSION_COOKIE_KEYS: { kind: 'symmetric', readBy: ['dashboard'] },
};

/** `SIGNING_KEYS` of one issuer. */
function signingRing(issuer: Issuer): KeyRing {
  return {
    kind: 'signing',
    readBy: [issuer],
    published: {
      variable: 'SIGNER_PUBLIC_KEYS',
      readBy: ['audit', 'webhooks', 'usage', 'applications', 'accounts', 'gateway'],
    },
  };
}
