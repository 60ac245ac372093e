import type { SignedAuditEntry } from '@tollgate/contracts/audit/audit';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { OUTBOX_INDEX } from '@tollgate/store/audit-outbox';
import { wroteUnlessDuplicate } from '@tollgate/store/duplicate-key';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { type Connection, Schema } from 'mongoose';
import type { Approval, ApprovedLogin, DeviceAuthorization, LoginDecision } from './device-authorization.ts';

/** A login of a program as stored in the collection `device_authorizations`, by the digest of its device code. */
interface DeviceAuthorizationDocument {
  _id: string;
  user_code: string;
  client_name: string;
  address: string | null;
  created_at: Date;
  expires_at: Date;
  interval_s: number;
  last_polled_at: Date | null;
  decision: DecisionDocument | null;
  /** The audit entry of the decision, written with it and cleared once published. */
  outbox: SignedAuditEntry[];
}

type DecisionDocument =
  | { status: 'denied'; team_id: string; member_id: string }
  | {
      status: 'approved';
      team_id: string;
      member_id: string;
      session_id: string;
      session_epoch: number;
      role: Approval['role'];
      environments: Environment[] | null;
      token_id: string;
      exchanged_at: Date | null;
    };

export interface DeviceAuthorizationStore {
  /** False when another one has the user code; nothing is stored then. */
  insert(authorization: DeviceAuthorization): Promise<boolean>;
  findByDeviceCode(digest: string): Promise<DeviceAuthorization | null>;
  findByUserCode(userCode: string): Promise<DeviceAuthorization | null>;
  /** Approvals of this member that no program has exchanged and that have not expired, newest first. */
  listApproved(teamId: string, memberId: string, now: Date): Promise<ApprovedLogin[]>;
  savePoll(after: DeviceAuthorization): Promise<void>;
  /** Records the exchange of an approved login. False when it was exchanged or denied before; nothing is stored then. */
  saveExchanged(login: ApprovedLogin, at: Date): Promise<boolean>;
  /** Stores a decision with its audit entry. False when another decision or the exchange was first; nothing is stored then. */
  saveDecision(
    before: DeviceAuthorization,
    decision: LoginDecision,
    audit: SignedAuditEntry,
  ): Promise<boolean>;
  /** Deletes those that expired earlier and whose audit entries are published. */
  deleteExpiredBefore(time: Date): Promise<void>;
}

const schema = new Schema<DeviceAuthorizationDocument>(
  {
    _id: { type: String, required: true },
    user_code: { type: String, required: true },
    client_name: { type: String, required: true },
    address: { type: String, default: null },
    created_at: { type: Date, required: true },
    expires_at: { type: Date, required: true },
    interval_s: { type: Number, required: true },
    last_polled_at: { type: Date, default: null },
    decision: { type: Schema.Types.Mixed, default: null },
    outbox: [Schema.Types.Mixed],
  },
  {
    collection: 'device_authorizations',
    versionKey: false,
    minimize: false,
    strict: 'throw',
    autoCreate: false,
  },
);

export const DEVICE_AUTHORIZATION_INDEXES: readonly IndexDeclaration[] = [
  { key: { user_code: 1 }, unique: true, purpose: 'Finds a login by the code that a member enters' },
  { key: { expires_at: 1 }, purpose: 'Finds expired logins' },
  { key: { 'decision.member_id': 1 }, purpose: 'Finds the logins that a member approved' },
  OUTBOX_INDEX,
];

const PENDING_APPROVAL = { 'decision.status': 'approved', 'decision.exchanged_at': null } as const;

export function createDeviceAuthorizationStore(connection: Connection): DeviceAuthorizationStore {
  const model = connection.model<DeviceAuthorizationDocument>('DeviceAuthorization', schema);

  async function findOne(filter: Record<string, unknown>): Promise<DeviceAuthorization | null> {
    const document = await model.findOne(filter).lean();
    return document && toDeviceAuthorization(document);
  }

  return {
    async insert(authorization) {
      return wroteUnlessDuplicate(model.create([toDocument(authorization)]));
    },

    findByDeviceCode: (digest) => findOne({ _id: digest }),
    findByUserCode: (userCode) => findOne({ user_code: userCode }),

    async listApproved(teamId, memberId, now) {
      const documents = await model
        .find({
          'decision.member_id': memberId,
          'decision.team_id': teamId,
          ...PENDING_APPROVAL,
          expires_at: { $gt: now },
        })
        .sort({ created_at: -1 })
        .lean();
      return documents.map(toDeviceAuthorization).filter(isApproved);
    },

    async savePoll({ deviceCodeDigest, intervalS, lastPolledAt }) {
      await model.updateOne(
        { _id: deviceCodeDigest },
        { $set: { interval_s: intervalS, last_polled_at: lastPolledAt } },
      );
    },

    async saveExchanged({ deviceCodeDigest }, at) {
      const result = await model.updateOne(
        { _id: deviceCodeDigest, ...PENDING_APPROVAL },
        { $set: { 'decision.exchanged_at': at } },
      );
      return result.matchedCount === 1;
    },

    async saveDecision({ deviceCodeDigest, decision: before }, decision, audit) {
      const result = await model.updateOne(
        { _id: deviceCodeDigest, ...(before === null ? { decision: null } : PENDING_APPROVAL) },
        { $set: { decision: toDecisionDocument(decision) }, $push: { outbox: audit } },
      );
      return result.matchedCount === 1;
    },

    async deleteExpiredBefore(time) {
      await model.deleteMany({ expires_at: { $lt: time }, 'outbox.0': { $exists: false } });
    },
  };
}

function toDocument(authorization: DeviceAuthorization): DeviceAuthorizationDocument {
  return {
    _id: authorization.deviceCodeDigest,
    user_code: authorization.userCode,
    client_name: authorization.clientName,
    address: authorization.address,
    created_at: authorization.createdAt,
    expires_at: authorization.expiresAt,
    interval_s: authorization.intervalS,
    last_polled_at: authorization.lastPolledAt,
    decision: authorization.decision && toDecisionDocument(authorization.decision),
    outbox: [],
  };
}

function toDecisionDocument(decision: LoginDecision): DecisionDocument {
  const { teamId: team_id, memberId: member_id } = decision;
  if (decision.status === 'denied') return { status: 'denied', team_id, member_id };
  const { sessionId, sessionEpoch, role, environments, tokenId, exchangedAt } = decision;
  return {
    status: 'approved',
    team_id,
    member_id,
    session_id: sessionId,
    session_epoch: sessionEpoch,
    role,
    environments: environments && [...environments],
    token_id: tokenId,
    exchanged_at: exchangedAt,
  };
}

function toDeviceAuthorization(document: DeviceAuthorizationDocument): DeviceAuthorization {
  return {
    deviceCodeDigest: document._id,
    userCode: document.user_code,
    clientName: document.client_name,
    address: document.address,
    createdAt: document.created_at,
    expiresAt: document.expires_at,
    intervalS: document.interval_s,
    lastPolledAt: document.last_polled_at,
    decision: document.decision && toDecision(document.decision),
  };
}

function toDecision(document: DecisionDocument): LoginDecision {
  const { team_id: teamId, member_id: memberId } = document;
  if (document.status === 'denied') return { status: 'denied', teamId, memberId };
  const { session_id, session_epoch, role, environments, token_id, exchanged_at } = document;
  return {
    status: 'approved',
    teamId,
    memberId,
    sessionId: session_id,
    sessionEpoch: session_epoch,
    role,
    environments,
    tokenId: token_id,
    exchangedAt: exchanged_at,
  };
}

function isApproved(login: DeviceAuthorization): login is ApprovedLogin {
  return login.decision?.status === 'approved';
}
