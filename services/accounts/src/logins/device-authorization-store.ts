import { OUTBOX_INDEX } from '@tollgate/store/audit-outbox';
import { wroteUnlessDuplicate } from '@tollgate/store/duplicate-key';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import type { Connection } from 'mongoose';
import type { Member } from '../members/member.ts';
import {
  type ApprovedLogin,
  type DeviceAuthorization,
  deviceAuthorizationSchema,
} from './device-authorization.ts';

export const DEVICE_AUTHORIZATION_INDEXES: readonly IndexDeclaration[] = [
  { key: { user_code: 1 }, unique: true, purpose: 'Finds a login by the code that a member enters' },
  { key: { expires_at: 1 }, purpose: 'Finds expired logins' },
  { key: { 'decision.member_id': 1 }, purpose: 'Finds the logins that a member approved' },
  OUTBOX_INDEX,
];

const PENDING_APPROVAL = { 'decision.status': 'approved', 'decision.exchanged_at': null } as const;

export function createDeviceAuthorizationStore(connection: Connection) {
  const model = connection.model<DeviceAuthorization>('DeviceAuthorization', deviceAuthorizationSchema);

  return {
    model,

    /** False when another one has the user code; nothing is stored then. */
    insert: (login: DeviceAuthorization): Promise<boolean> => wroteUnlessDuplicate(model.create([login])),

    findByDeviceCode: async (_id: string): Promise<DeviceAuthorization | null> =>
      model.findOne({ _id }).lean<DeviceAuthorization>(),
    findByUserCode: async (user_code: string): Promise<DeviceAuthorization | null> =>
      model.findOne({ user_code }).lean<DeviceAuthorization>(),

    /** Approvals of this member that no program has exchanged and that have not expired, newest first. */
    listApproved: async ({ team_id, _id }: Member, now: Date): Promise<ApprovedLogin[]> =>
      model
        .find({
          'decision.member_id': _id,
          'decision.team_id': team_id,
          ...PENDING_APPROVAL,
          expires_at: { $gt: now },
        })
        .sort({ created_at: -1 })
        .lean<ApprovedLogin[]>(),

    async savePoll({ _id, interval_s, last_polled_at }: DeviceAuthorization): Promise<void> {
      await model.updateOne({ _id }, { $set: { interval_s, last_polled_at } });
    },

    /** Records the exchange of an approved login. False when it was exchanged or denied before; nothing is stored then. */
    async saveExchanged({ _id }: ApprovedLogin, at: Date): Promise<boolean> {
      const exchange = { $set: { 'decision.exchanged_at': at } };
      return (await model.updateOne({ _id, ...PENDING_APPROVAL }, exchange)).matchedCount === 1;
    },

    /** Deletes those that expired earlier and whose audit entries are published. */
    async deleteExpiredBefore(time: Date): Promise<void> {
      await model.deleteMany({ expires_at: { $lt: time }, 'outbox.0': { $exists: false } });
    },
  };
}

/** Matches the login until another decision, or the exchange, is stored. */
export function asDecided({ _id, decision }: DeviceAuthorization) {
  return { _id, ...(decision === null ? { decision } : PENDING_APPROVAL) };
}
