import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import type { QuestionStore } from './reconciliation/question-store.ts';
import type { RequestStore } from './request-log/request-store.ts';
import type { Levels } from './roll-up/level-store.ts';
import type { UsageMetrics } from './usage-metrics.ts';
import type { KeyUseStore } from './windows/key-use-store.ts';
import type { KnownNumbers } from './windows/known-numbers.ts';
import type { WindowStore } from './windows/window-store.ts';

/** What the parts of the service share. */
export interface Context {
  windows: WindowStore;
  knownNumbers: KnownNumbers;
  keyUses: KeyUseStore;
  questions: QuestionStore;
  levels: Levels;
  requests: RequestStore;
  metrics: UsageMetrics;
  clock: Clock;
  logger: Logger;
}
