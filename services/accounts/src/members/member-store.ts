import type { SignedAuditEntry } from '@tollgate/contracts/audit/audit';
import { isDuplicateKey } from '@tollgate/store/duplicate-key';
import { keepUnknownFields } from '@tollgate/store/keep-unknown-fields';
import type { Connection } from 'mongoose';
import { emailOfTooManyAccounts } from './email.ts';
import type { Member, SsoLink } from './member.ts';
import {
  changingFields,
  FIRST_EMAIL_SLOT,
  IS_JOINING,
  MAX_ACCOUNTS_PER_EMAIL,
  type MemberDocument,
  memberSchema,
  NO_EMAIL,
  type PasskeyDocument,
  toMember,
  toMemberDocument,
} from './member-document.ts';

export interface MemberStore {
  /** False when an account has the id or the identity, or too many accounts have the email; nothing is stored then. */
  insert(member: Member): Promise<boolean>;
  find(teamId: string, memberId: string): Promise<Member | null>;
  /** The accounts with this email in all teams, the newest first: at most `MAX_ACCOUNTS_PER_EMAIL`. */
  listByEmail(email: string): Promise<Member[]>;
  /** Searches all teams: a person with a link does not name a team. */
  findByResetToken(tokenDigest: string): Promise<Member | null>;
  /** Searches all teams: a passkey names its member, and no team. */
  findByCredentialId(credentialId: string): Promise<Member | null>;
  /** The account of this identity, also one that is not in the team yet. */
  findBySso(teamId: string, link: SsoLink): Promise<Member | null>;
  /** Whether a removed account had this identity. */
  wasRemoved(teamId: string, link: SsoLink): Promise<boolean>;
  listOfTeam(teamId: string, memberIds: string[]): Promise<Member[]>;
  /**
   * Stores a change with its audit entries. False when the member changed since `before` was read. Throws `conflict` when too many
   * accounts have the new email.
   */
  replace(before: Member, after: Member, audit: SignedAuditEntry[]): Promise<boolean>;
  /** Unfinished acceptances of every team, by id: at most `limit`, after `after`. */
  findJoining(after: string, limit: number): Promise<Member[]>;
  /** Releases the email, unless the acceptance has advanced since it was read. */
  deleteJoining(member: Member): Promise<void>;
}

export function createMemberStore(connection: Connection): MemberStore {
  const model = connection.model<MemberDocument>('Member', memberSchema);

  async function findOne(filter: Record<string, unknown>): Promise<Member | null> {
    const document = await model.findOne(filter).lean();
    return document && toMember(document);
  }

  /** Keeps the fields of the stored passkeys that only a later release knows. Null when the member has changed. */
  async function mergedPasskeys(
    unchanged: Record<string, unknown>,
    passkeys: PasskeyDocument[],
  ): Promise<{ passkeys: PasskeyDocument[] } | null> {
    const stored = await model.findOne(unchanged, { passkeys: 1 }).lean();
    return stored && { passkeys: keepUnknownFields(stored.passkeys, passkeys, 'id') };
  }

  return {
    async insert(member) {
      const inserted = await inFreeSlot((slot) => model.create([toMemberDocument(member, slot)]));
      return inserted !== null;
    },

    find: (teamId, memberId) => findOne({ _id: memberId, team_id: teamId }),
    async listByEmail(email) {
      const documents = await model.find({ email }).sort({ created_at: -1, _id: -1 }).lean();
      return documents.map(toMember);
    },
    findByResetToken: (tokenDigest) =>
      findOne({
        $or: [
          { 'reset_link.token_digest': tokenDigest },
          { 'reset_link.earlier_token_digests': tokenDigest },
        ],
      }),

    findByCredentialId: (credentialId) => findOne({ 'passkeys.credential_id': credentialId }),
    findBySso: (teamId, { issuer, subject }) =>
      findOne({ team_id: teamId, 'sso.issuer': issuer, 'sso.subject': subject }),

    async wasRemoved(teamId, { issuer, subject }) {
      const removed = { 'former_sso.issuer': issuer, 'former_sso.subject': subject };
      return (await model.exists({ team_id: teamId, ...removed })) !== null;
    },

    async listOfTeam(teamId, memberIds) {
      const documents = await model
        .find({ team_id: teamId, _id: { $in: memberIds } })
        .sort({ _id: 1 })
        .lean();
      return documents.map(toMember);
    },

    async replace(before, after, audit) {
      const { totp, passkeys, ...fields } = changingFields(after);
      const unchanged = { _id: before.id, team_id: before.teamId, version: before.version };
      const passkeyFields =
        after.passkeys === before.passkeys ? {} : await mergedPasskeys(unchanged, passkeys);
      if (passkeyFields === null) return false;
      const nested = { ...totpFields(before, totp), ...passkeyFields };
      const store = async (email: object) => {
        const result = await model.updateOne(unchanged, {
          $set: { ...fields, ...email, ...nested },
          $push: { outbox: { $each: audit } },
        });
        return result.matchedCount === 1;
      };
      if (after.email === before.email) return store({});
      if (after.email === null) return store(NO_EMAIL);
      const isStored = await inFreeSlot((slot) => store({ email: after.email, email_slot: slot }));
      if (isStored === null) throw emailOfTooManyAccounts('Choose another address.');
      return isStored;
    },

    async findJoining(after, limit) {
      const documents = await model
        .find({ ...IS_JOINING, _id: { $gt: after } })
        .sort({ _id: 1 })
        .limit(limit)
        .lean();
      return documents.map(toMember);
    },

    async deleteJoining({ id, teamId, version, updatedAt }) {
      await model.deleteOne({ _id: id, team_id: teamId, ...IS_JOINING, version, updated_at: updatedAt });
    },
  };
}

/** Writes an email with its first free slot. Null when it has none; then nothing is written. */
async function inFreeSlot<Result>(write: (slot: number) => Promise<Result>): Promise<Result | null> {
  for (let slot = FIRST_EMAIL_SLOT; slot < MAX_ACCOUNTS_PER_EMAIL; slot++) {
    try {
      return await write(slot);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
  return null;
}

/** Field by field while the authenticator app stays the same, so that fields of a later release stay too. */
function totpFields(before: Member, totp: MemberDocument['totp']): object {
  if (totp === null || totp.secret !== before.totp?.secret) return { totp };
  return Object.fromEntries(Object.entries(totp).map(([name, value]) => [`totp.${name}`, value]));
}
