import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { type Connection, Schema } from 'mongoose';
import type { Authorization } from './authorization.ts';

/** A started sign-in as stored in the collection `sso_authorizations`, by the digest of its state. */
interface AuthorizationDocument {
  _id: string;
  browser_token_digest: string;
  /** Set once the response arrived: no browser can use it again. */
  is_used: boolean;
  team_id: string;
  issuer: string;
  client_id: string;
  must_authenticate_again: boolean;
  created_at: Date;
  expires_at: Date;
}

export interface AuthorizationStore {
  insert(authorization: Authorization): Promise<void>;
  /**
   * Marks the authorization as used and returns it: of several requests with one response, one gets it. Null unless the team, the
   * state, and the browser belong together; then it stays for the browser that started it.
   */
  take(of: {
    teamId: string;
    stateDigest: string;
    browserTokenDigest: string;
  }): Promise<Authorization | null>;
  /** What is known of a state until it expires; null when it was never the team's, or has been deleted. */
  statusOf(of: { teamId: string; stateDigest: string }): Promise<'open' | 'used' | null>;
  deleteExpired(now: Date): Promise<void>;
}

const schema = new Schema<AuthorizationDocument>(
  {
    _id: { type: String, required: true },
    browser_token_digest: { type: String, required: true },
    is_used: { type: Boolean, required: true },
    team_id: { type: String, required: true },
    issuer: { type: String, required: true },
    client_id: { type: String, required: true },
    must_authenticate_again: { type: Boolean, required: true },
    created_at: { type: Date, required: true },
    expires_at: { type: Date, required: true },
  },
  { collection: 'sso_authorizations', versionKey: false, strict: 'throw', autoCreate: false },
);

export const SSO_AUTHORIZATION_INDEXES: readonly IndexDeclaration[] = [
  { key: { expires_at: 1 }, purpose: 'Finds expired authorizations' },
];

export function createAuthorizationStore(connection: Connection): AuthorizationStore {
  const model = connection.model<AuthorizationDocument>('SsoAuthorization', schema);

  return {
    async insert(authorization) {
      await model.create([
        {
          _id: authorization.stateDigest,
          browser_token_digest: authorization.browserTokenDigest,
          is_used: false,
          team_id: authorization.teamId,
          issuer: authorization.issuer,
          client_id: authorization.clientId,
          must_authenticate_again: authorization.mustAuthenticateAgain,
          created_at: authorization.createdAt,
          expires_at: authorization.expiresAt,
        },
      ]);
    },

    async take({ teamId, stateDigest, browserTokenDigest }) {
      const document = await model
        .findOneAndUpdate(
          { _id: stateDigest, team_id: teamId, browser_token_digest: browserTokenDigest, is_used: false },
          { $set: { is_used: true } },
        )
        .lean();
      return document && toAuthorization(document);
    },

    async statusOf({ teamId, stateDigest }) {
      const document = await model.findOne({ _id: stateDigest, team_id: teamId }).lean();
      if (document === null) return null;
      return document.is_used ? 'used' : 'open';
    },

    async deleteExpired(now) {
      await model.deleteMany({ expires_at: { $lt: now } });
    },
  };
}

function toAuthorization(document: AuthorizationDocument): Authorization {
  return {
    stateDigest: document._id,
    browserTokenDigest: document.browser_token_digest,
    teamId: document.team_id,
    issuer: document.issuer,
    clientId: document.client_id,
    mustAuthenticateAgain: document.must_authenticate_again,
    createdAt: document.created_at,
    expiresAt: document.expires_at,
  };
}
