import { YEAR_S } from '@tollgate/contracts/platform/durations';
import { onMount } from 'svelte';
import { invalidateAll } from '$app/navigation';

/**
 * Reports the browser's time zone to the server, which renders times in it, and in UTC until then. `isAwaited` until the page shows
 * times in that zone. Call it during component initialization.
 */
export function reportTimeZone(page: { timeZone: string; isTimeZoneKnown: boolean }) {
  let isAwaited = $state(!page.isTimeZoneKnown);
  onMount(async () => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const isShown = timeZone === page.timeZone;
    if (!isShown || !page.isTimeZoneKnown) {
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain http and in some browsers.
      document.cookie = `time_zone=${encodeURIComponent(timeZone)}; path=/; max-age=${YEAR_S}; samesite=lax`;
    }
    if (!isShown) await invalidateAll();
    isAwaited = false;
  });
  return {
    get isAwaited() {
      return isAwaited;
    },
  };
}
