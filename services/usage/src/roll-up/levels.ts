import type { UsageGranularity } from '@tollgate/contracts/usage/usage';
import type { Connection } from 'mongoose';
import { DIVISIONS } from '../periods/granularity.ts';
import { createLevelStore, type LevelStore } from './level-store.ts';

export type Levels = Record<UsageGranularity, LevelStore>;

export function createLevels(connection: Connection): Levels {
  return {
    minute: createLevelStore(connection, DIVISIONS.minute),
    hour: createLevelStore(connection, DIVISIONS.hour),
    day: createLevelStore(connection, DIVISIONS.day),
  };
}
