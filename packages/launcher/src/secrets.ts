import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import type { DataPaths } from './data-dir.ts';
import { LauncherFailure } from './launcher-failure.ts';
import { readPrivateJson, writePrivateJson } from './private-file.ts';

const KEY_BYTES = 32;
const PASSWORD_BYTES = 18;

const Secret = Type.String({ minLength: 1 });

/** Every secret of a platform on one machine, under the name of the variable that carries it where one does. */
const Secrets = Type.Object({
  API_KEY_PEPPERS: Secret,
  INTERNAL_SIGNING_KEYS: Secret,
  ACTOR_SIGNING_KEY: Secret,
  ACTOR_PUBLIC_KEYS: Secret,
  WEBHOOK_ENCRYPTION_KEYS: Secret,
  AUDIT_SIGNING_KEYS: Secret,
  SESSION_COOKIE_KEYS: Secret,
  nats: Type.Object({ user: Secret, password: Secret }),
  mongodb: Type.Object({ user: Secret, password: Secret }),
  owner: Type.Object({ email: Secret, password: Secret }),
});
export type Secrets = Static<typeof Secrets>;
const secretsSchema = Compile(Secrets);

/**
 * The secrets of this data folder: made once, on the first start.
 * @throws LauncherFailure when there is data without them: new ones could not read it, and would lock every key out
 */
export async function loadSecrets(paths: DataPaths): Promise<Secrets> {
  const stored = await readStored(paths.secrets);
  if (stored !== null) return stored;
  const data = await findData(paths);
  if (data !== null) {
    throw new LauncherFailure(
      `${paths.secrets} is missing, but there is data made with it (${data}).\n` +
        '  Put the file back from your backup. To begin anew without that data, remove the folder ' +
        `${paths.dataDir}.`,
    );
  }
  const secrets = generateSecrets();
  await writePrivateJson(paths.secrets, secrets);
  return secrets;
}

async function readStored(path: string): Promise<Secrets | null> {
  let stored: unknown;
  try {
    stored = await readPrivateJson(path);
  } catch (cause) {
    throw new LauncherFailure(`${path} cannot be read as JSON.\n  Put it back from your backup.`, { cause });
  }
  if (stored === null) return null;
  if (secretsSchema.Check(stored)) return stored;
  throw new LauncherFailure(
    `${path} is not complete: ${secretsSchema
      .Errors(stored)
      .map(({ instancePath }) => instancePath || 'the file')
      .join(', ')} is missing or not valid.\n  Put it back from your backup.`,
  );
}

/** @returns the folder in which a server keeps data, or null */
async function findData(paths: DataPaths): Promise<string | null> {
  for (const folder of [paths.mongodbDir, paths.natsDir]) {
    const entries = await readdir(folder).catch(() => []);
    if (entries.length > 0) return folder;
  }
  return null;
}

export function generateSecrets(): Secrets {
  const keyring = () => `1:${randomBytes(KEY_BYTES).toString('base64')}`;
  const password = () => randomBytes(PASSWORD_BYTES).toString('base64url');
  const actor = generateKeyPairSync('ed25519');
  const audit = generateKeyPairSync('ed25519');
  return {
    API_KEY_PEPPERS: keyring(),
    INTERNAL_SIGNING_KEYS: keyring(),
    ACTOR_SIGNING_KEY: actor.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    ACTOR_PUBLIC_KEYS: actor.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    WEBHOOK_ENCRYPTION_KEYS: keyring(),
    AUDIT_SIGNING_KEYS: `1:${audit.privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')}`,
    SESSION_COOKIE_KEYS: keyring(),
    nats: { user: 'tollgate', password: password() },
    mongodb: { user: 'tollgate', password: password() },
    owner: { email: 'owner@tollgate.local', password: password() },
  };
}
