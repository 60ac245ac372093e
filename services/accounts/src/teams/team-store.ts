import type { SignedAuditEntry } from '@tollgate/contracts/audit/audit';
import { isDuplicateKey } from '@tollgate/store/duplicate-key';
import { keepUnknownFields } from '@tollgate/store/keep-unknown-fields';
import type { Connection } from 'mongoose';
import type { Team } from './team.ts';
import {
  changingFields,
  HAS_LEAVING,
  type TeamDocument,
  teamSchema,
  toChatDocument,
  toTeam,
  toTeamDocument,
} from './team-document.ts';

/** A removal between the write that decides it and the write that empties the account. */
export interface Removal {
  teamId: string;
  memberId: string;
}

export interface TeamStore {
  insert(team: Team, audit: SignedAuditEntry[]): Promise<void>;
  /** Like `insert`, but safe to repeat: an existing team is left unchanged. */
  insertOnce(team: Team, audit: SignedAuditEntry[]): Promise<void>;
  find(teamId: string): Promise<Team | null>;
  /** Searches all teams for the invitation with this token. */
  findByInvitationToken(tokenDigest: string): Promise<Team | null>;
  /**
   * Stores a change with its audit entries. False when the team changed since `before` was read. `leaving` marks a
   * member whose account must be emptied.
   */
  replace(before: Team, after: Team, audit: SignedAuditEntry[], leaving: string | null): Promise<boolean>;
  /** Unfinished removals of at most `limit` teams, ordered by team id, starting after `afterTeamId`. */
  findUnfinishedRemovals(afterTeamId: string, limit: number): Promise<Removal[]>;
  finishRemoval(removal: Removal): Promise<void>;
}

export function createTeamStore(connection: Connection): TeamStore {
  const model = connection.model<TeamDocument>('Team', teamSchema);

  async function insert(team: Team, audit: SignedAuditEntry[]): Promise<void> {
    await model.create([toTeamDocument(team, audit)]);
  }

  return {
    insert,

    async insertOnce(team, audit) {
      try {
        await insert(team, audit);
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    },

    async find(teamId) {
      const document = await model.findOne({ _id: teamId }).lean();
      return document && toTeam(document);
    },

    async findByInvitationToken(tokenDigest) {
      const document = await model.findOne({ 'invitations.token_digest': tokenDigest }).lean();
      return document && toTeam(document);
    },

    async replace(before, after, audit, leaving) {
      const unchanged = { _id: before.id, version: before.version };
      const stored = await model.findOne(unchanged, { members: 1, invitations: 1 }).lean();
      if (!stored) return false;
      const fields = changingFields(after);
      const result = await model.updateOne(unchanged, {
        $set: {
          ...fields,
          // Only when it changes, so that fields of a later release stay.
          ...(after.chat !== before.chat && { chat: after.chat && toChatDocument(after.chat) }),
          members: keepUnknownFields(stored.members, fields.members, 'member_id'),
          invitations: keepUnknownFields(stored.invitations, fields.invitations, 'id'),
        },
        $push: { outbox: { $each: audit }, ...(leaving !== null && { leaving }) },
      });
      return result.matchedCount === 1;
    },

    async findUnfinishedRemovals(afterTeamId, limit) {
      const documents = await model
        .find({ ...HAS_LEAVING, _id: { $gt: afterTeamId } }, { leaving: 1 })
        .sort({ _id: 1 })
        .limit(limit)
        .lean();
      return documents.flatMap(({ _id, leaving }) => leaving.map((memberId) => ({ teamId: _id, memberId })));
    },

    async finishRemoval({ teamId, memberId }) {
      await model.updateOne({ _id: teamId }, { $pull: { leaving: memberId } });
    },
  };
}
