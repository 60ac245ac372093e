import type { Connection } from 'mongoose';
import { type Authorization, authorizationSchema } from './authorization.ts';

export function createAuthorizationStore(connection: Connection) {
  const model = connection.model<Authorization>('SsoAuthorization', authorizationSchema);

  return {
    async insert(authorization: Authorization): Promise<void> {
      await model.create([authorization]);
    },

    /**
     * Marks the authorization as used and returns it: of several requests with one response, one gets it. Null unless the team, the
     * state, and the browser belong together; then it stays for the browser that started it.
     */
    take: async (
      of: Pick<Authorization, '_id' | 'team_id' | 'browser_token_digest'>,
    ): Promise<Authorization | null> =>
      model.findOneAndUpdate({ ...of, is_used: false }, { $set: { is_used: true } }).lean<Authorization>(),

    /** Also a used one, until it expires. Null when it was never the team's, or has been deleted. */
    find: async (team_id: string, _id: string): Promise<Authorization | null> =>
      model.findOne({ _id, team_id }).lean<Authorization>(),

    async deleteExpired(now: Date): Promise<void> {
      await model.deleteMany({ expires_at: { $lt: now } });
    },
  };
}
