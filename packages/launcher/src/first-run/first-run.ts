import { connectBus } from '@tollgate/bus/connection';
import type { Secrets } from '../secrets.ts';
import { ensureFirstApplication, type FirstApplication, recordedApplication } from './first-application.ts';
import { ensureFirstOwner, signInFirstOwner } from './first-owner.ts';
import type { FirstRunRecord } from './first-run-record.ts';

export interface FirstRunResult {
  /** Null if there is no application and none can be created: the first owner's password was changed too early. */
  application: FirstApplication | null;
  owner: {
    email: string;
    /** Null after it was changed. */
    password: string | null;
  };
  /** Whether this start created the application, so nobody has seen the output yet. */
  isNew: boolean;
}

/** Creates the first team, owner, application, and keys as that owner. A later start finds them again. */
export async function ensureFirstRun(options: {
  natsUrl: string;
  secrets: Secrets;
  record: FirstRunRecord;
}): Promise<FirstRunResult> {
  const { natsUrl, secrets, record } = options;
  const { owner, SETUP_TOKEN: setupToken } = secrets;
  const bus = await connectBus({ url: natsUrl, name: 'launcher' });
  try {
    await ensureFirstOwner({ bus, owner, setupToken, record });
    const session = await signInFirstOwner(bus, owner, record);
    const earlier = recordedApplication(record);
    const application = earlier ?? (session && (await ensureFirstApplication(session.call, record)));
    await session?.signOut();
    const isChanged = record.read().owner_password_changed === true;
    return {
      application,
      owner: { email: owner.email, password: isChanged ? null : owner.password },
      isNew: application !== null && earlier === null,
    };
  } finally {
    await bus.close();
  }
}
