import { SvelteSet } from 'svelte/reactivity';
import { PAYMENTS_KEY } from '#lib/payments/payments-key.ts';
import { invalidate } from '$app/navigation';
import { getLiveUpdates } from './live-updates.svelte.ts';
import type { PaymentNews } from './payment-news.ts';
import { throttle } from './throttle.ts';

/** Long enough for the steps of one settlement to arrive together. */
const DELAY_MS = 150;
const HIGHLIGHT_MS = 3_000;

export interface FreshPayments {
  /** Ids of the payments that have changed a moment ago, once the page shows the change. */
  readonly ids: ReadonlySet<string>;
  /** What has changed, for screen readers. */
  readonly announcement: string;
}

/**
 * Loads the payments that the page shows again when one of them, or of those that `concerns` accepts, has changed: at most once every
 * `everyMs`, and once after a time without connection. Call it while a component is made; it ends with the component.
 */
export function refreshPayments(options: {
  everyMs: number;
  concerns?: (news: PaymentNews) => boolean;
  /** After the page shows what is new. */
  afterwards?: () => Promise<unknown>;
}): FreshPayments {
  const { everyMs, concerns = () => true, afterwards } = options;
  const live = getLiveUpdates();
  const changed = new Set<string>();
  const fresh = new SvelteSet<string>();
  let announcement = $state('');

  const refresh = throttle(
    async () => {
      const ids = [...changed];
      changed.clear();
      // The drawer is open by the page's state: a refresh must not close it.
      await invalidate(PAYMENTS_KEY, true);
      await afterwards?.();
      show(ids);
    },
    { delayMs: DELAY_MS, everyMs },
  );

  function show(ids: string[]) {
    if (ids.length === 0) return;
    announcement = ids.length === 1 ? 'A payment has changed.' : `${ids.length} payments have changed.`;
    for (const id of ids) fresh.add(id);
    setTimeout(() => {
      for (const id of ids) fresh.delete(id);
    }, HIGHLIGHT_MS);
  }

  $effect(() => {
    const stop = live.listen({
      onNews(news) {
        if (!concerns(news)) return;
        changed.add(news.payment.id);
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
