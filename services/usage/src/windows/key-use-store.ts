import type { UsageWindow } from '@tollgate/contracts/usage/usage';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import type { Connection } from 'mongoose';

interface KeyUse {
  /** Id of the key. */
  _id: string;
  team_id: string;
  application_id: string;
  last_used_at: Date;
}

/** More keys than an application has in practice. */
const MAX_KEYS = 2_000;

export const KEY_USE_INDEXES: readonly IndexDeclaration[] = [
  {
    key: { team_id: 1, application_id: 1, last_used_at: -1 },
    purpose: 'Last uses of the keys of an application',
  },
];

export type KeyUseStore = ReturnType<typeof createKeyUseStore>;

export function createKeyUseStore(connection: Connection) {
  const collection = connection.collection<KeyUse>('key_uses');

  return {
    /** The stored time never goes back, so windows may arrive repeatedly and in any order. */
    async note(windows: readonly UsageWindow[]): Promise<void> {
      const uses = latestUses(windows);
      if (uses.length === 0) return;
      await collection.bulkWrite(
        uses.map(({ _id, last_used_at, ...owner }) => ({
          updateOne: {
            filter: { _id },
            update: { $max: { last_used_at }, $setOnInsert: owner },
            upsert: true,
          },
        })),
        { ordered: false },
      );
    },

    /** Most recently used first. */
    list: (team_id: string, application_id: string): Promise<KeyUse[]> =>
      collection.find({ team_id, application_id }).sort({ last_used_at: -1 }).limit(MAX_KEYS).toArray(),
  };
}

function latestUses(windows: readonly UsageWindow[]): KeyUse[] {
  const uses = new Map<string, KeyUse>();
  for (const window of windows) {
    const at = new Date(window.at);
    for (const { key_id, team_id, application_id } of window.rows) {
      const known = uses.get(key_id);
      if (known && known.last_used_at >= at) continue;
      uses.set(key_id, { _id: key_id, team_id, application_id, last_used_at: at });
    }
  }
  return [...uses.values()];
}
