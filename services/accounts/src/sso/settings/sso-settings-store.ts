import type { SignedAuditEntry } from '@tollgate/contracts/audit/audit';
import type { Role } from '@tollgate/contracts/platform/roles';
import { OUTBOX_INDEX } from '@tollgate/store/audit-outbox';
import { isDuplicateKey } from '@tollgate/store/duplicate-key';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { type Connection, Schema } from 'mongoose';
import { type Domain, defaultSsoSettings, type SsoSettings } from './sso-settings.ts';

/** The settings of a team that changed them at least once, as stored in the collection `sso_settings`. */
interface SsoSettingsDocument {
  /** The id of the team: a team has one identity provider. */
  _id: string;
  team_id: string;
  provider: { issuer: string; client_id: string; client_secret: string } | null;
  domains: {
    name: string;
    verification_token: string;
    added_at: Date;
    verified: { by: 'dns' | 'operator'; at: Date } | null;
  }[];
  /** Names of the verified domains, for the unique index. */
  verified_domains: string[];
  role_claim: string | null;
  role_rules: { value: string; role: Role }[];
  default_role: Role | null;
  is_required: boolean;
  last_sign_in_at: Date | null;
  version: number;
  updated_at: Date;
  /** Audit entries of changes, written with the changes and cleared once published. */
  outbox: SignedAuditEntry[];
}

export interface SsoSettingsStore {
  find(teamId: string): Promise<SsoSettings>;
  /** Searches all teams: a person who signs in does not name a team. At most one team has verified a domain. */
  findByVerifiedDomain(domain: string): Promise<SsoSettings | null>;
  /**
   * Stores a change with its audit entries. `changed` when the settings changed since `before` was read, `domain-taken` when another
   * team has verified one of the domains; nothing is stored then.
   */
  replace(
    before: SsoSettings,
    after: SsoSettings,
    audit: SignedAuditEntry[],
  ): Promise<'stored' | 'changed' | 'domain-taken'>;
  /** Records a sign-in, unless the settings changed since they were read. */
  recordSignIn(settings: SsoSettings, at: Date): Promise<void>;
}

const schema = new Schema<SsoSettingsDocument>(
  {
    _id: { type: String, required: true },
    team_id: { type: String, required: true },
    provider: { type: Schema.Types.Mixed, default: null },
    domains: [Schema.Types.Mixed],
    verified_domains: [String],
    role_claim: { type: String, default: null },
    role_rules: [Schema.Types.Mixed],
    default_role: { type: String, default: null },
    is_required: { type: Boolean, required: true },
    last_sign_in_at: { type: Date, default: null },
    version: { type: Number, required: true },
    updated_at: { type: Date, required: true },
    outbox: [Schema.Types.Mixed],
  },
  { collection: 'sso_settings', versionKey: false, minimize: false, strict: 'throw', autoCreate: false },
);

export const SSO_SETTINGS_INDEXES: readonly IndexDeclaration[] = [
  {
    key: { verified_domains: 1 },
    unique: true,
    partialFilterExpression: { verified_domains: { $gt: '' } },
    purpose: 'Sign-in by the domain of an email, which one team has verified',
  },
  OUTBOX_INDEX,
];

export function createSsoSettingsStore(connection: Connection): SsoSettingsStore {
  const model = connection.model<SsoSettingsDocument>('SsoSettings', schema);

  async function write(before: SsoSettings, after: SsoSettings, audit: SignedAuditEntry[]): Promise<boolean> {
    const { teamId, version } = before;
    const fields = fieldsOf(after);
    if (version === defaultSsoSettings(teamId).version) {
      await model.create([{ _id: teamId, team_id: teamId, ...fields, outbox: audit }]);
      return true;
    }
    const result = await model.updateOne(
      { _id: teamId, team_id: teamId, version },
      { $set: fields, $push: { outbox: { $each: audit } } },
    );
    return result.matchedCount === 1;
  }

  return {
    async find(teamId) {
      const document = await model.findOne({ _id: teamId, team_id: teamId }).lean();
      return document ? toSettings(document) : defaultSsoSettings(teamId);
    },

    async findByVerifiedDomain(domain) {
      const document = await model.findOne({ verified_domains: domain }).lean();
      return document && toSettings(document);
    },

    async replace(before, after, audit) {
      try {
        return (await write(before, after, audit)) ? 'stored' : 'changed';
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        // The first change of a team has no verified domain yet: it can only collide with another first change.
        return before.version === defaultSsoSettings(before.teamId).version ? 'changed' : 'domain-taken';
      }
    },

    async recordSignIn({ teamId, version }, at) {
      await model.updateOne({ _id: teamId, team_id: teamId, version }, { $set: { last_sign_in_at: at } });
    },
  };
}

function fieldsOf(settings: SsoSettings) {
  const { provider, domains, roles } = settings;
  return {
    provider: provider && {
      issuer: provider.issuer,
      client_id: provider.clientId,
      client_secret: provider.clientSecret,
    },
    domains: domains.map(({ name, verificationToken, addedAt, verified }) => ({
      name,
      verification_token: verificationToken,
      added_at: addedAt,
      verified,
    })),
    verified_domains: domains.filter(({ verified }) => verified !== null).map(({ name }) => name),
    role_claim: roles.claim,
    role_rules: roles.rules.map(({ value, role }) => ({ value, role })),
    default_role: roles.defaultRole,
    is_required: settings.isRequired,
    last_sign_in_at: settings.lastSignInAt,
    version: settings.version,
    updated_at: settings.updatedAt,
  };
}

function toSettings(document: SsoSettingsDocument): SsoSettings {
  const { provider } = document;
  return {
    teamId: document.team_id,
    provider: provider && {
      issuer: provider.issuer,
      clientId: provider.client_id,
      clientSecret: provider.client_secret,
    },
    domains: document.domains.map(toDomain),
    roles: {
      claim: document.role_claim,
      rules: document.role_rules,
      defaultRole: document.default_role,
    },
    isRequired: document.is_required,
    lastSignInAt: document.last_sign_in_at,
    version: document.version,
    updatedAt: document.updated_at,
  };
}

function toDomain({
  name,
  verification_token,
  added_at,
  verified,
}: SsoSettingsDocument['domains'][number]): Domain {
  return { name, verificationToken: verification_token, addedAt: added_at, verified };
}
