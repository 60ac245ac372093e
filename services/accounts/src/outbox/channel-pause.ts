import type { Clock } from '@tollgate/runtime/clock';
import { retryDelayMs } from './retry-delay.ts';

/** Thrown when no message of the channel can be sent at present, because the server that all of them need is down. */
export class ChannelDown extends Error {}

/** What this instance knows of the server of a channel. */
export interface ChannelPause {
  /** Whether no message should be tried now. */
  isPaused(): boolean;
  /** Whether the last message failed because of the server: the next one finds out alone whether it works again. */
  isProbing(): boolean;
  serverFailed(): void;
  serverResponded(): void;
}

/** Without it, each waiting message would try a server that hangs, one after another. */
export function createChannelPause(clock: Clock): ChannelPause {
  let failures = 0;
  let pausedUntilMs = 0;
  const isPaused = () => clock.now() < pausedUntilMs;

  return {
    isPaused,
    isProbing: () => failures > 0,
    serverFailed() {
      // Messages that were in flight together fail together: they are one failure.
      if (isPaused()) return;
      failures += 1;
      pausedUntilMs = clock.now() + retryDelayMs(failures);
    },
    serverResponded() {
      failures = 0;
      pausedUntilMs = 0;
    },
  };
}
