import { createContext } from 'svelte';
import type { LiveChange } from './live-change.ts';

/** `paused` while the tab is hidden; `offline` while the browser is; `lost` while it reconnects. */
export type LiveState = 'connecting' | 'live' | 'paused' | 'offline' | 'lost';

export interface LiveListener {
  /** Called for each change to the team's data. */
  onChange(change: LiveChange): void;
  /** Called after a reconnect: updates may have been missed. */
  onResumed(): void;
}

export interface LiveUpdates {
  readonly state: LiveState;
  /** Returns a function that unsubscribes. */
  listen(listener: LiveListener): () => void;
}

export const [getLiveUpdates, setLiveUpdates] = createContext<LiveUpdates>();
