import type { SignedAuditEntry } from '@tollgate/contracts/audit/audit';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { OUTBOX_INDEX } from '@tollgate/store/audit-outbox';
import { wroteUnlessDuplicate } from '@tollgate/store/duplicate-key';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import type { Connection } from 'mongoose';

/** Name of the collection, one of the service's audited ones. */
export const STUCK_BURSTS = 'stuck_bursts';

/** Payments of a team that are stuck at a processor at the same time. */
export interface StuckBurst {
  team_id: string;
  environment: Environment;
  processor: string;
}

interface StuckBurstDocument extends StuckBurst {
  _id: string;
  since: Date;
  /** Audit entries that the audit log has not confirmed. */
  outbox: SignedAuditEntry[];
}

export const STUCK_BURST_INDEXES: readonly IndexDeclaration[] = [OUTBOX_INDEX];

export type StuckBurstStore = ReturnType<typeof createStuckBurstStore>;

export function createStuckBurstStore(connection: Connection) {
  const collection = connection.collection<StuckBurstDocument>(STUCK_BURSTS);

  return {
    /** Starts a burst with its audit entry. False when it has started already, also in another instance. */
    async start(burst: StuckBurst, since: Date, audit: SignedAuditEntry): Promise<boolean> {
      return wroteUnlessDuplicate(
        collection.insertOne({ _id: burstId(burst), ...burst, since, outbox: [audit] }),
      );
    },

    /** Used by background work over all teams. */
    async list(): Promise<StuckBurst[]> {
      return collection.find({}).toArray();
    },

    /** Ends a burst, so that the next one is noticed again. One whose entry is not confirmed stays until it is. */
    async end(burst: StuckBurst): Promise<void> {
      await collection.deleteOne({ _id: burstId(burst), team_id: burst.team_id, outbox: { $size: 0 } });
    },
  };
}

export function burstId({ team_id, environment, processor }: StuckBurst): string {
  return `${team_id}:${environment}:${processor}`;
}
