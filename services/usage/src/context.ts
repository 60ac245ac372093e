import type { Clock } from '@tollgate/runtime/clock';
import type { RequestStore } from './request-log/request-store.ts';
import type { Levels } from './roll-up/levels.ts';
import type { KeyUseStore } from './windows/key-use-store.ts';
import type { KnownNumbers } from './windows/known-numbers.ts';
import type { WindowStore } from './windows/window-store.ts';

/** Dependencies of the queries. */
export interface Context {
  windows: WindowStore;
  knownNumbers: KnownNumbers;
  keyUses: KeyUseStore;
  levels: Levels;
  requests: RequestStore;
  clock: Clock;
}
