import type { AuditedRecords } from '@tollgate/store/audited-records';
import { wroteUnlessDuplicate } from '@tollgate/store/duplicate-key';
import type { Connection } from 'mongoose';
import { IS_JOINING, type Member, memberSchema, type SsoLink } from './member.ts';

/** Nobody proves that an email is theirs until it can receive a link, so an account in one team reserves it in no other. */
const MAX_ACCOUNTS_PER_EMAIL = 5;
const EMAIL_SLOTS = Array.from({ length: MAX_ACCOUNTS_PER_EMAIL }, (_, slot) => slot);

export type MemberStore = ReturnType<typeof createMemberStore>;

export function createMemberStore(connection: Connection) {
  const model = connection.model<Member>('Member', memberSchema);
  const records: AuditedRecords<Member> = { model, noun: 'member' };

  return {
    ...records,

    /** False when an account has the id or the identity, or too many accounts have the email; nothing is stored then. */
    async insert(member: Member): Promise<boolean> {
      for (const email_slot of EMAIL_SLOTS)
        if (await wroteUnlessDuplicate(model.create([{ ...member, email_slot }]))) return true;
      return false;
    },

    find: async (team_id: string, _id: string): Promise<Member | null> =>
      model.findOne({ _id, team_id }).lean<Member>(),

    /** The accounts with this email in all teams, the newest first: at most `MAX_ACCOUNTS_PER_EMAIL`. */
    listByEmail: async (email: string): Promise<Member[]> =>
      model.find({ email }).sort({ created_at: -1, _id: -1 }).lean<Member[]>(),

    /** Searches all teams: a person with a link does not name a team. */
    findByResetToken: async (digest: string): Promise<Member | null> =>
      model
        .findOne({
          $or: [{ 'reset_link.token_digest': digest }, { 'reset_link.earlier_token_digests': digest }],
        })
        .lean<Member>(),

    /** Searches all teams: a passkey names its member, and no team. */
    findByCredentialId: async (credentialId: string): Promise<Member | null> =>
      model.findOne({ 'passkeys.credential_id': credentialId }).lean<Member>(),

    /** The account of this identity, also one that is not in the team yet. */
    findBySso: async (team_id: string, { issuer, subject }: SsoLink): Promise<Member | null> =>
      model.findOne({ team_id, 'sso.issuer': issuer, 'sso.subject': subject }).lean<Member>(),

    /** Whether a removed account had this identity. */
    async wasRemoved(team_id: string, { issuer, subject }: SsoLink): Promise<boolean> {
      const removed = { 'former_sso.issuer': issuer, 'former_sso.subject': subject };
      return (await model.exists({ team_id, ...removed })) !== null;
    },

    listOfTeam: async (team_id: string, ids: string[]): Promise<Member[]> =>
      model
        .find({ team_id, _id: { $in: ids } })
        .sort({ _id: 1 })
        .lean<Member[]>(),

    /** Unfinished acceptances of every team, by id: at most `limit`, after `after`. */
    findJoining: async (after: string, limit: number): Promise<Member[]> =>
      model
        .find({ ...IS_JOINING, _id: { $gt: after } })
        .sort({ _id: 1 })
        .limit(limit)
        .lean<Member[]>(),

    /** Releases the email, unless the acceptance has advanced since it was read. */
    async deleteJoining({ _id, team_id, version, updated_at }: Member): Promise<void> {
      await model.deleteOne({ _id, team_id, ...IS_JOINING, version, updated_at });
    },
  };
}

/** The first slot of an email that none of its accounts has; undefined when it has too many. */
export function freeEmailSlot(accounts: readonly Member[]): number | undefined {
  return EMAIL_SLOTS.find((slot) => accounts.every(({ email_slot }) => email_slot !== slot));
}
