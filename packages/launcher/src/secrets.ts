import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { PROCESS_NAMES, type ProcessName } from '@tollgate/bus/permissions/process-table';
import { DATABASE_OWNERS, type DatabaseOwner } from '@tollgate/contracts/platform/databases';
import { ISSUERS, type Issuer } from '@tollgate/contracts/platform/signature';
import { signerPublicKeys } from '@tollgate/security/signing-keys';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import type { DataPaths } from './data-dir.ts';
import {
  generateActorKey,
  generateSigningKey,
  generateSymmetricKey,
  KEY_BYTES,
} from './key-rings/generate-key.ts';
import { LauncherFailure } from './launcher-failure.ts';
import { readPrivateJson, writePrivateJson } from './private-file.ts';

const DATA_FORMAT = 1;
const PASSWORD_BYTES = 18;

const Secret = Type.String({ minLength: 1 });

/** All secrets of a platform on one machine, named like the environment variable if there is one. */
const Secrets = Type.Object({
  /** The form of everything in the data folder. Development versions before 1.0.0 did not store it. */
  format: Type.Literal(DATA_FORMAT),
  API_KEY_PEPPERS: Secret,
  INTERNAL_SIGNING_KEYS: Secret,
  ACTOR_SIGNING_KEY: Secret,
  ACTOR_PUBLIC_KEYS: Secret,
  ACCOUNTS_ENCRYPTION_KEYS: Secret,
  SETUP_TOKEN: Secret,
  WEBHOOK_ENCRYPTION_KEYS: Secret,
  AUDIT_SIGNING_KEYS: Secret,
  SESSION_COOKIE_KEYS: Secret,
  /** `SIGNING_KEYS` of each issuer. */
  signing: Type.Object({
    accounts: Secret,
    applications: Secret,
    gateway: Secret,
    payments: Secret,
    webhooks: Secret,
  } satisfies Record<Issuer, typeof Secret>),
  natsPasswords: Type.Object({
    accounts: Secret,
    applications: Secret,
    payments: Secret,
    webhooks: Secret,
    usage: Secret,
    audit: Secret,
    gateway: Secret,
    operator: Secret,
    launcher: Secret,
  } satisfies Record<ProcessName, typeof Secret>),
  /** The user that may do everything. */
  mongodb: Type.Object({ user: Secret, password: Secret }),
  mongodbPasswords: Type.Object({
    accounts: Secret,
    applications: Secret,
    payments: Secret,
    webhooks: Secret,
    usage: Secret,
    audit: Secret,
  } satisfies Record<DatabaseOwner, typeof Secret>),
  owner: Type.Object({ email: Secret, password: Secret }),
});
export type Secrets = Static<typeof Secrets>;
const secretsSchema = Compile(Secrets);

/**
 * Loads the secrets of this data folder, and generates them on the first start.
 * @throws LauncherFailure if there is data without secrets: new ones could not decrypt it and would invalidate every
 * key. Also if a development version created the folder
 */
export async function loadSecrets(paths: DataPaths): Promise<Secrets> {
  const stored = await readStored(paths.secrets);
  if (stored !== null) {
    if (!Object.hasOwn(stored, 'format')) throw createdByDevelopmentVersion(paths);
    return requireComplete(stored, paths.secrets);
  }
  const data = await findData(paths);
  if (data !== null) {
    throw new LauncherFailure(
      `${paths.secrets} is missing, but data that requires it exists (${data}).\n` +
        '  Restore the file from a backup. To start without that data, remove the folder ' +
        `${paths.dataDir}.`,
    );
  }
  const secrets = generateSecrets();
  await writePrivateJson(paths.secrets, secrets);
  return secrets;
}

function createdByDevelopmentVersion({ dataDir }: DataPaths): LauncherFailure {
  return new LauncherFailure(
    `The data folder ${dataDir} is from a development version before 1.0.0, which no release can read.\n` +
      '  Remove the folder, or choose another one: TOLLGATE_DATA_DIR=<folder> npm start',
  );
}

async function readStored(path: string): Promise<object | null> {
  try {
    return (await readPrivateJson(path)) as object | null;
  } catch (cause) {
    throw new LauncherFailure(`${path} is not valid JSON.\n  Restore it from a backup.`, { cause });
  }
}

function requireComplete(stored: object, path: string): Secrets {
  if (secretsSchema.Check(stored)) return stored;
  const wrong = secretsSchema
    .Errors(stored)
    .flatMap((error) =>
      error.keyword === 'required' ? error.params.requiredProperties : [error.instancePath.slice(1)],
    );
  throw new LauncherFailure(
    `${path} is incomplete: ${wrong.join(', ') || 'everything'} is missing or invalid.\n  Restore it from a backup.`,
  );
}

/** @returns a folder with a server's data, or null */
async function findData(paths: DataPaths): Promise<string | null> {
  for (const folder of [paths.mongodbDir, paths.natsDir]) {
    const entries = await readdir(folder).catch(() => []);
    if (entries.length > 0) return folder;
  }
  return null;
}

export function generateSecrets(): Secrets {
  const keyring = () => generateSymmetricKey('1');
  const signingKeys = () => generateSigningKey('1');
  // A letter comes first, because nats-server reads a variable that starts with a digit or a dash as a number.
  const password = () => `t${randomBytes(PASSWORD_BYTES).toString('base64url')}`;
  const actor = generateActorKey();
  return {
    format: DATA_FORMAT,
    API_KEY_PEPPERS: keyring(),
    INTERNAL_SIGNING_KEYS: keyring(),
    ACTOR_SIGNING_KEY: actor.privateKey,
    ACTOR_PUBLIC_KEYS: actor.publicKey,
    ACCOUNTS_ENCRYPTION_KEYS: keyring(),
    SETUP_TOKEN: randomBytes(KEY_BYTES).toString('base64url'),
    WEBHOOK_ENCRYPTION_KEYS: keyring(),
    AUDIT_SIGNING_KEYS: signingKeys(),
    SESSION_COOKIE_KEYS: keyring(),
    signing: {
      accounts: signingKeys(),
      applications: signingKeys(),
      gateway: signingKeys(),
      payments: signingKeys(),
      webhooks: signingKeys(),
    },
    natsPasswords: passwordsOf(PROCESS_NAMES, password),
    mongodb: { user: 'tollgate', password: password() },
    mongodbPasswords: passwordsOf(DATABASE_OWNERS, password),
    owner: { email: 'owner@tollgate.local', password: password() },
  };
}

function passwordsOf<Name extends string>(
  names: readonly Name[],
  password: () => string,
): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, password()])) as Record<Name, string>;
}

/** `SIGNER_PUBLIC_KEYS` for these secrets. */
export function publicKeysOf({ signing }: Pick<Secrets, 'signing'>): string {
  return ISSUERS.map((issuer) => signerPublicKeys(issuer, signing[issuer])).join(',');
}
