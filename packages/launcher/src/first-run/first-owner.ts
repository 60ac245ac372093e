import { setTimeout as delay } from 'node:timers/promises';
import type { Bus } from '@tollgate/bus/connection';
import { callRpc } from '@tollgate/bus/rpc';
import { getInstallation, setUp } from '@tollgate/contracts/accounts/rpc';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { FirstRunRecord } from './first-run-record.ts';
import {
  CALL_OPTIONS,
  type Credentials,
  FROM_TERMINAL,
  type MemberSession,
  startMemberSession,
} from './member-session.ts';

const OWNER_NAME = 'Owner';
const TEAM_NAME = 'First team';

/** Accounts completes an interrupted setup shortly after it starts. */
const FIRST_SIGN_IN_TRIES = 3;
const PAUSE_MS = 1_000;

/** Creates the first team and its owner, unless the installation is set up. */
export async function ensureFirstOwner(options: {
  bus: Bus;
  owner: Credentials;
  setupToken: string;
  record: FirstRunRecord;
}): Promise<void> {
  const { bus, owner, setupToken, record } = options;
  if ((await callRpc(bus, getInstallation, {}, CALL_OPTIONS)).is_set_up) return;
  await record.forget();
  const request = { token: setupToken, ...owner, name: OWNER_NAME, team_name: TEAM_NAME, ...FROM_TERMINAL };
  await callRpc(bus, setUp, request, CALL_OPTIONS);
}

/**
 * Signs the first owner in with the generated password. Returns null if that is impossible: the password was changed,
 * which is recorded; the account now has two-factor authentication; or failed sign-ins are being throttled.
 */
export async function signInFirstOwner(
  bus: Bus,
  owner: Credentials,
  record: FirstRunRecord,
): Promise<MemberSession | null> {
  const { owner_password_changed: isChanged, application_id: applicationId } = record.read();
  if (isChanged) return null;
  // Without an application, no earlier start of this folder has signed in.
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
