import type { AuditedRecords } from '@tollgate/store/audited-records';
import { wroteUnlessDuplicate } from '@tollgate/store/duplicate-key';
import type { Connection } from 'mongoose';
import { HAS_LEAVING, type Team, teamSchema } from './team.ts';

/** A removal between the write that decides it and the write that empties the account. */
export interface Removal {
  team_id: string;
  member_id: string;
}

export type TeamStore = ReturnType<typeof createTeamStore>;

export function createTeamStore(connection: Connection) {
  const model = connection.model<Team>('Team', teamSchema);
  const records: AuditedRecords<Team> = { model, noun: 'team' };

  return {
    ...records,

    /** Safe to repeat: an existing team is left unchanged. */
    insertOnce: (team: Team): Promise<boolean> => wroteUnlessDuplicate(model.create([team])),

    find: async (_id: string): Promise<Team | null> => model.findOne({ _id }).lean<Team>(),

    /** Searches all teams for the invitation with this token. */
    findByInvitationToken: async (digest: string): Promise<Team | null> =>
      model.findOne({ 'invitations.token_digest': digest }).lean<Team>(),

    /** Unfinished removals of at most `limit` teams, ordered by team id, starting after `afterTeamId`. */
    async findUnfinishedRemovals(afterTeamId: string, limit: number): Promise<Removal[]> {
      const teams = await model
        .find({ ...HAS_LEAVING, _id: { $gt: afterTeamId } }, { leaving: 1 })
        .sort({ _id: 1 })
        .limit(limit)
        .lean();
      return teams.flatMap(({ _id: team_id, leaving }) =>
        leaving.map((member_id) => ({ team_id, member_id })),
      );
    },

    async finishRemoval({ team_id, member_id }: Removal): Promise<void> {
      await model.updateOne({ _id: team_id }, { $pull: { leaving: member_id } });
    },
  };
}
