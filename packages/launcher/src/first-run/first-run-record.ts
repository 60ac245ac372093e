import { Id } from '@tollgate/contracts/platform/schema';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { LauncherFailure } from '../launcher-failure.ts';
import { readPrivateJson, writePrivateJson } from '../private-file.ts';

/**
 * What the first run has created so far. Stored because a key's credential is returned only when the key is created.
 */
const FirstRun = Type.Object(
  {
    application_id: Type.Optional(Id('application')),
    live_api_key: Type.Optional(Type.String()),
    sandbox_api_key: Type.Optional(Type.String()),
    /** The generated password was rejected. It is not tried again, because failed sign-ins throttle the owner. */
    owner_password_changed: Type.Optional(Type.Literal(true)),
  },
  { additionalProperties: false },
);
export type FirstRun = Static<typeof FirstRun>;
const firstRunSchema = Compile(FirstRun);

export interface FirstRunRecord {
  read(): Readonly<FirstRun>;
  /** Resolves when it is on disk. */
  add(more: FirstRun): Promise<void>;
  /** The database was replaced or emptied, so nothing recorded here exists any more. */
  forget(): Promise<void>;
}

/** @throws LauncherFailure if the file is corrupted */
export async function openFirstRunRecord(path: string): Promise<FirstRunRecord> {
  let record = await load(path);
  async function write(value: FirstRun) {
    record = value;
    await writePrivateJson(path, record);
  }
  return {
    read: () => record,
    add: (more) => write({ ...record, ...more }),
    forget: () => write({}),
  };
}

async function load(path: string): Promise<FirstRun> {
  const stored = await readPrivateJson(path);
  if (stored === null) return {};
  if (firstRunSchema.Check(stored)) return stored;
  throw new LauncherFailure(`${path} is corrupted.\n  Restore it from a backup.`);
}
