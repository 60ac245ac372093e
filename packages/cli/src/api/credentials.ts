import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { openReader } from '@tollgate/contracts/platform/open-reader';
import Type, { type Static } from 'typebox';
import { UsageError } from '../command.ts';

/** What `tollgate login` stores. */
const Credentials = Type.Object({
  admin_api_url: Type.String(),
  live_api_url: Type.String(),
  sandbox_api_url: Type.String(),
  token: Type.String(),
  team: Type.Object({ id: Type.String(), name: Type.String() }),
  /** Signs what `tollgate listen` forwards. */
  webhook_secret: Type.String(),
  /** Sandbox keys that this program created for itself, by application. */
  api_keys: Type.Record(Type.String(), Type.String()),
});
export type Credentials = Static<typeof Credentials>;

const OWNER_ONLY = 0o600;
const OWNER_ONLY_FOLDER = 0o700;
const OTHERS = 0o077;

export function credentialsPath(env: NodeJS.ProcessEnv): string {
  const folder = env['TOLLGATE_CONFIG_DIR'] || join(userFolder(env), 'tollgate');
  return join(folder, 'credentials.json');
}

function userFolder(env: NodeJS.ProcessEnv): string {
  if (process.platform === 'win32' && env['APPDATA']) return env['APPDATA'];
  return env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config');
}

/** Null without a login. @throws UsageError if others can read the file, or it is corrupted */
export async function readCredentials(env: NodeJS.ProcessEnv): Promise<Credentials | null> {
  const path = credentialsPath(env);
  const text = await readOwn(path);
  if (text === null) return null;
  const credentials = openReader(Credentials).read(parse(text));
  if (credentials) return credentials;
  throw new UsageError(`${path} is corrupted. Run tollgate login again.`);
}

async function readOwn(path: string): Promise<string | null> {
  try {
    const { mode } = await stat(path);
    // Windows has no such bits.
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0)
      throw new UsageError(
        `Other users can read ${path}. Run chmod 600 on it, and revoke the token if they did.`,
      );
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Replaces the file in one step: a crash leaves the old one or the new one. */
export async function writeCredentials(env: NodeJS.ProcessEnv, credentials: Credentials): Promise<string> {
  const path = credentialsPath(env);
  await mkdir(dirname(path), { recursive: true, mode: OWNER_ONLY_FOLDER });
  const next = `${path}.${process.pid}`;
  await writeFile(next, `${JSON.stringify(credentials, null, 2)}\n`, { mode: OWNER_ONLY });
  // An older file of that name would have kept its mode.
  await chmod(next, OWNER_ONLY);
  await rename(next, path);
  return path;
}

export async function deleteCredentials(env: NodeJS.ProcessEnv): Promise<void> {
  await rm(credentialsPath(env), { force: true });
}

/** Undefined for what is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
