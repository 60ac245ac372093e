import type { UsageGranularity } from '@tollgate/contracts/usage';
import type { Connection } from 'mongoose';
import { DIVISIONS } from '../periods/granularity.ts';
import { createLevelStore, type LevelStore } from './level-store.ts';

export type Levels = Record<UsageGranularity, LevelStore>;

/** Resolves when the indexes exist. */
export async function createLevels(connection: Connection): Promise<Levels> {
  return {
    minute: await createLevelStore(connection, DIVISIONS.minute),
    hour: await createLevelStore(connection, DIVISIONS.hour),
    day: await createLevelStore(connection, DIVISIONS.day),
  };
}
