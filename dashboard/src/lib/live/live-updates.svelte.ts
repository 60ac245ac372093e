import type { Environment } from '@tollgate/contracts/platform/environment';
import { type LiveChange, readChange, STREAM_EVENTS } from './live-change.ts';
import { reconnectDelayMs } from './reconnect-delay.ts';
import { createSilenceWatch } from './silence-watch.ts';

/** `paused` while the tab is hidden; `offline` while the browser is; `lost` while it reconnects. */
export type LiveState = 'connecting' | 'live' | 'paused' | 'offline' | 'lost';

interface LiveListener {
  /** Called for each change to the team's data. */
  onChange(change: LiveChange): void;
  /** Called after a reconnect: updates may have been missed. */
  onResumed(): void;
}

/**
 * The one event stream of this tab. `connect` opens it and returns a function that closes it. It is closed while the
 * tab is hidden: over HTTP/1.1 a browser has six connections for all tabs of a site, and each stream holds one.
 */
export function createLiveUpdates() {
  const listeners = new Set<LiveListener>();
  let state = $state<LiveState>('connecting');

  function connect(environment: Environment): () => void {
    let source: EventSource | null = null;
    let retry: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;
    const silence = createSilenceWatch({
      onSilent() {
        state = 'lost';
      },
      onResumed() {
        state = 'live';
      },
      onOver: reconnect,
    });
    let hasBeenLive = false;

    function open() {
      source = new EventSource(`/events?environment=${environment}`);
      source.onopen = () => {
        failures = 0;
        state = 'live';
        if (hasBeenLive) for (const listener of listeners) listener.onResumed();
        hasBeenLive = true;
      };
      // The browser would retry on its own, but never after a response such as 503, and without backoff.
      source.onerror = reconnect;
      source.addEventListener('heartbeat', silence.onHeartbeat);
      for (const [name, about] of Object.entries(STREAM_EVENTS)) {
        source.addEventListener(name, ({ data }: MessageEvent<string>) => notify(readChange(about, data)));
      }
    }

    function reconnect() {
      close();
      failures += 1;
      state = 'lost';
      retry = setTimeout(open, reconnectDelayMs(failures, Math.random()));
    }

    function notify(change: LiveChange | null) {
      if (change) for (const listener of listeners) listener.onChange(change);
    }

    function close() {
      clearTimeout(retry);
      silence.stop();
      source?.close();
      source = null;
    }

    /** Without a network, the stream itself would look open until a timeout of the operating system. */
    function followBrowser() {
      close();
      failures = 0;
      if (document.visibilityState === 'hidden') state = 'paused';
      else if (!navigator.onLine) state = 'offline';
      else {
        state = 'connecting';
        open();
      }
    }

    followBrowser();
    const ended = new AbortController();
    document.addEventListener('visibilitychange', followBrowser, ended);
    for (const event of ['online', 'offline']) window.addEventListener(event, followBrowser, ended);
    return () => {
      ended.abort();
      close();
    };
  }

  return {
    get state() {
      return state;
    },
    /** Returns a function that unsubscribes. */
    listen(listener: LiveListener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    connect,
  };
}
