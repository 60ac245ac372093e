import { SvelteSet } from 'svelte/reactivity';
import { invalidate } from '$app/navigation';
import type { LiveChange } from './live-change.ts';
import { getLiveUpdates } from './live-updates.svelte.ts';
import { throttle } from './throttle.ts';

/** Long enough for the steps of one settlement to arrive together. */
const DELAY_MS = 150;
const HIGHLIGHT_MS = 3_000;

/** Rows that changed recently. */
export interface Fresh {
  /** Ids of the rows, set once the page shows the change. */
  readonly ids: ReadonlySet<string>;
  /** Text for screen readers. */
  readonly announcement: string;
}

export interface RefreshPace {
  everyMs: number;
  /** Called after the page shows the new data. */
  afterwards?: () => Promise<unknown>;
}

/**
 * Reruns the loads that depend on `key` when a change concerns the page: at most once every `everyMs`, and once after a
 * reconnect. Call it during component initialization; it stops when the component is destroyed.
 */
export function refreshShown(
  { everyMs, afterwards }: RefreshPace,
  shown: {
    key: string;
    concerns: (change: LiveChange) => boolean;
    /** Id of the row that has changed; null when unknown. */
    rowOf: (change: LiveChange) => string | null;
    /** How many rows have changed, in one sentence. */
    announce: (count: number) => string;
  },
): Fresh {
  const live = getLiveUpdates();
  const changed = new Set<string>();
  const fresh = new SvelteSet<string>();
  let announcement = $state('');

  const refresh = throttle(
    async () => {
      const ids = [...changed];
      changed.clear();
      // A drawer is open through the page state, which a refresh must keep.
      await invalidate(shown.key, true);
      await afterwards?.();
      show(ids);
    },
    { delayMs: DELAY_MS, everyMs },
  );

  function show(ids: string[]) {
    if (ids.length === 0) return;
    announcement = shown.announce(ids.length);
    for (const id of ids) fresh.add(id);
    setTimeout(() => {
      for (const id of ids) fresh.delete(id);
    }, HIGHLIGHT_MS);
  }

  $effect(() => {
    const stop = live.listen({
      onChange(change) {
        if (!shown.concerns(change)) return;
        const id = shown.rowOf(change);
        if (id !== null) changed.add(id);
        refresh();
      },
      onResumed: refresh,
    });
    return () => {
      stop();
      refresh.cancel();
    };
  });

  return {
    ids: fresh,
    get announcement() {
      return announcement;
    },
  };
}
