import type { AuditedRecords } from '@tollgate/store/audited-records';
import type { Connection } from 'mongoose';
import { defaultSsoSettings, type SsoSettings, ssoSettingsSchema } from './sso-settings.ts';

export function createSsoSettingsStore(connection: Connection) {
  const model = connection.model<SsoSettings>('SsoSettings', ssoSettingsSchema);
  const records: AuditedRecords<SsoSettings> = {
    model,
    noun: 'single sign-on settings',
    initial: defaultSsoSettings,
    // A sign-in raises no version: callers changed nothing. With another provider, it must not count.
    unchanged: ({ version, last_sign_in_at }) => ({ version, last_sign_in_at }),
  };

  return {
    ...records,

    find: async (team_id: string): Promise<SsoSettings> =>
      (await model.findOne({ _id: team_id, team_id }).lean<SsoSettings>()) ?? defaultSsoSettings(team_id),

    /** Searches all teams: a person who signs in does not name a team. At most one team has verified a domain. */
    findByVerifiedDomain: async (domain: string): Promise<SsoSettings | null> =>
      model.findOne({ verified_domains: domain }).lean<SsoSettings>(),

    /** Records a sign-in, unless the settings changed since they were read. */
    async recordSignIn({ team_id, version }: SsoSettings, last_sign_in_at: Date): Promise<void> {
      await model.updateOne({ _id: team_id, team_id, version }, { $set: { last_sign_in_at } });
    },
  };
}
