import { DATABASE_OWNERS } from '@tollgate/contracts/platform/databases';
import { ISSUERS } from '@tollgate/contracts/platform/signature';
import { publicKeysOf, type Secrets } from '../secrets.ts';
import { CONTAINER_PROCESSES } from './container-processes.ts';
import { oneLinePem } from './one-line-pem.ts';

/** The variables of docker-compose.yml for these secrets. */
export function containerVariables(secrets: Secrets): Record<string, string> {
  return {
    API_KEY_PEPPERS: secrets.API_KEY_PEPPERS,
    INTERNAL_SIGNING_KEYS: secrets.INTERNAL_SIGNING_KEYS,
    ACTOR_SIGNING_KEY: oneLinePem(secrets.ACTOR_SIGNING_KEY),
    ACTOR_PUBLIC_KEYS: oneLinePem(secrets.ACTOR_PUBLIC_KEYS),
    ACCOUNTS_ENCRYPTION_KEYS: secrets.ACCOUNTS_ENCRYPTION_KEYS,
    SETUP_TOKEN: secrets.SETUP_TOKEN,
    WEBHOOK_ENCRYPTION_KEYS: secrets.WEBHOOK_ENCRYPTION_KEYS,
    AUDIT_SIGNING_KEYS: secrets.AUDIT_SIGNING_KEYS,
    SESSION_COOKIE_KEYS: secrets.SESSION_COOKIE_KEYS,
    ...Object.fromEntries(
      ISSUERS.map((issuer) => [`${issuer.toUpperCase()}_SIGNING_KEYS`, secrets.signing[issuer]]),
    ),
    SIGNER_PUBLIC_KEYS: publicKeysOf(secrets),
    ...passwords('NATS_PASSWORD', CONTAINER_PROCESSES, secrets.natsPasswords),
    MONGODB_PASSWORD: secrets.mongodb.password,
    ...passwords('MONGODB_PASSWORD', DATABASE_OWNERS, secrets.mongodbPasswords),
  };
}

function passwords<Name extends string>(
  prefix: string,
  names: readonly Name[],
  passwordOf: Record<Name, string>,
): Record<string, string> {
  return Object.fromEntries(names.map((name) => [`${prefix}_${name.toUpperCase()}`, passwordOf[name]]));
}
