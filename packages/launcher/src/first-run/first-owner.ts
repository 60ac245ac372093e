import { setTimeout as delay } from 'node:timers/promises';
import type { Bus } from '@tollgate/bus/connection';
import { callRpc } from '@tollgate/bus/rpc';
import { Problem } from '@tollgate/contracts/problem';
import { getInstallation, setUp } from '@tollgate/contracts/rpc/accounts';
import type { FirstRunRecord } from './first-run-record.ts';
import {
  type Credentials,
  FROM_TERMINAL,
  type MemberSession,
  PATIENCE,
  startMemberSession,
} from './member-session.ts';

const OWNER_NAME = 'Owner';
const TEAM_NAME = 'First team';

/** A set-up that was interrupted is brought to its end by accounts in the first moments after its start. */
const FIRST_SIGN_IN_TRIES = 3;
const PAUSE_MS = 1_000;

/** Makes the first team and its owner, unless the installation is set up. */
export async function ensureFirstOwner(options: {
  bus: Bus;
  owner: Credentials;
  setupToken: string;
  record: FirstRunRecord;
}): Promise<void> {
  const { bus, owner, setupToken, record } = options;
  if ((await callRpc(bus, getInstallation, {}, PATIENCE)).is_set_up) return;
  await record.forget();
  const request = { token: setupToken, ...owner, name: OWNER_NAME, team_name: TEAM_NAME, ...FROM_TERMINAL };
  await callRpc(bus, setUp, request, PATIENCE);
}

/**
 * Signs the first owner in with the generated password. Null when that cannot be done: the password was changed, which is
 * recorded, or the account has a second factor now, or someone's guessing at it makes everybody wait.
 */
export async function signInFirstOwner(
  bus: Bus,
  owner: Credentials,
  record: FirstRunRecord,
): Promise<MemberSession | null> {
  const { owner_password_changed: isChanged, application_id: applicationId } = record.read();
  if (isChanged) return null;
  // Without an application nobody has signed in yet, as far as this folder knows.
  const tries = applicationId === undefined ? FIRST_SIGN_IN_TRIES : 1;
  for (let tried = 1; ; tried++) {
    try {
      return await startMemberSession(bus, owner);
    } catch (error) {
      const code = error instanceof Problem ? error.details.code : null;
      if (code === 'second-factor-required' || code === 'too-many-attempts') return null;
      if (code !== 'sign-in-failed') throw error;
      if (tried < tries) await delay(PAUSE_MS);
      else {
        await record.add({ owner_password_changed: true });
        return null;
      }
    }
  }
}
