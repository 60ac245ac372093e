import { PAYMENTS_KEY } from '#lib/payments/payments-key.ts';
import { WEBHOOKS_KEY } from '#lib/webhooks/webhooks-key.ts';
import { invalidate } from '$app/navigation';
import { getLiveUpdates } from './live-context.ts';
import { changedRow, concernsRows, type Rows, type Subject } from './shown-rows.ts';
import { throttle } from './throttle.ts';

/** Long enough for the steps of one settlement to arrive together. */
const DELAY_MS = 150;
const HIGHLIGHT_MS = 3_000;

/** The loads to rerun, and how many rows have changed, in one sentence. */
const ROWS: Record<Rows, { key: string; one: string; many: string }> = {
  overview: { key: PAYMENTS_KEY, one: 'Payment updated.', many: 'payments updated.' },
  payments: { key: PAYMENTS_KEY, one: 'Payment updated.', many: 'payments updated.' },
  deliveries: { key: WEBHOOKS_KEY, one: 'Delivery updated.', many: 'deliveries updated.' },
  endpoints: { key: WEBHOOKS_KEY, one: 'Webhook endpoint updated.', many: 'webhook endpoints updated.' },
  events: { key: WEBHOOKS_KEY, one: 'New event received.', many: 'new events received.' },
};

/** Rows that changed recently. */
export type Fresh = ReturnType<typeof refreshRows>;

interface Options {
  /** Evaluated for each change, so that it follows client-side navigation. A change must match all of its ids. */
  of?: () => Subject | null;
  everyMs?: number;
  /** Called after the page shows the new data. */
  afterwards?: () => Promise<unknown>;
}

/**
 * Reruns the loads of a page that depend on `PAYMENTS_KEY` or `WEBHOOKS_KEY` when a change concerns it: at most once every `everyMs`,
 * and once after a reconnect. `rows` names the kind of ids in `ids`. Call it during component initialization; it stops when the
 * component is destroyed.
 */
export function refreshRows(rows: Rows, { of = () => ({}), everyMs = 1_000, afterwards }: Options = {}) {
  const { key, one, many } = ROWS[rows];
  const live = getLiveUpdates();
  const changed = new Set<string>();
  let fresh = $state.raw<ReadonlySet<string>>(new Set());
  let announcement = $state('');

  const refresh = throttle(
    async () => {
      const ids = [...changed];
      changed.clear();
      // A drawer is open through the page state, which a refresh must keep.
      await invalidate(key, true);
      await afterwards?.();
      show(ids);
    },
    { delayMs: DELAY_MS, everyMs },
  );

  function show(ids: string[]) {
    if (ids.length === 0) return;
    announcement = ids.length === 1 ? one : `${ids.length} ${many}`;
    fresh = new Set([...fresh, ...ids]);
    setTimeout(() => {
      fresh = new Set([...fresh].filter((id) => !ids.includes(id)));
    }, HIGHLIGHT_MS);
  }

  $effect(() => {
    const stop = live.listen({
      onChange(change) {
        if (!concernsRows(rows, of(), change)) return;
        const id = changedRow(rows, change);
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
    /** Ids of the rows, set once the page shows the change. */
    get ids() {
      return fresh;
    },
    /** Text for screen readers. */
    get announcement() {
      return announcement;
    },
  };
}
