import type { Environment } from '@tollgate/contracts/environment';
import { createContext } from 'svelte';
import { type LiveNews, NEWS_READERS } from './live-news.ts';
import { reconnectDelayMs } from './reconnect-delay.ts';

/** `paused` while nobody sees the tab; `lost` while it tries to get the connection back. */
export type LiveState = 'connecting' | 'live' | 'paused' | 'lost';

export interface LiveListener {
  /** Something of the team has changed. */
  onNews(news: LiveNews): void;
  /** Connected again after a time in which news may have been missed. */
  onResumed(): void;
}

export interface LiveUpdates {
  readonly state: LiveState;
  /** Returns how to stop listening. */
  listen(listener: LiveListener): () => void;
}

export const [getLiveUpdates, setLiveUpdates] = createContext<LiveUpdates>();

/**
 * The one event stream of this tab. `connect` opens it and returns how to close it; it is closed while the tab is hidden,
 * because a browser has six connections for all tabs of a site (HTTP/1.1), and streams hold theirs.
 */
export function createLiveUpdates(): LiveUpdates & { connect(environment: Environment): () => void } {
  const listeners = new Set<LiveListener>();
  let state = $state<LiveState>('connecting');

  function connect(environment: Environment): () => void {
    let source: EventSource | null = null;
    let retry: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;
    let hasBeenLive = false;

    function open() {
      source = new EventSource(`/events?environment=${environment}`);
      source.onopen = () => {
        failures = 0;
        state = 'live';
        if (hasBeenLive) for (const listener of listeners) listener.onResumed();
        hasBeenLive = true;
      };
      // The browser would try again by itself, but never after a response such as 503, and without ever waiting longer.
      source.onerror = () => {
        close();
        failures += 1;
        state = 'lost';
        retry = setTimeout(open, reconnectDelayMs(failures, Math.random()));
      };
      for (const [name, read] of Object.entries(NEWS_READERS)) {
        source.addEventListener(name, ({ data }: MessageEvent<string>) => tell(read(data)));
      }
    }

    function tell(news: LiveNews | null) {
      if (news) for (const listener of listeners) listener.onNews(news);
    }

    function close() {
      clearTimeout(retry);
      source?.close();
      source = null;
    }

    function followVisibility() {
      close();
      if (document.visibilityState === 'hidden') {
        state = 'paused';
        return;
      }
      state = 'connecting';
      open();
    }

    followVisibility();
    document.addEventListener('visibilitychange', followVisibility);
    return () => {
      document.removeEventListener('visibilitychange', followVisibility);
      close();
    };
  }

  return {
    get state() {
      return state;
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    connect,
  };
}
