import { invalidate } from '$app/navigation';
import { USAGE_KEY } from './usage-key.ts';

/**
 * Reloads the usage that the page shows every `everyMs`, while the tab is visible and `isBusy` returns false. Call it
 * during component initialization; it stops when the component is destroyed.
 */
export function refreshUsage({ everyMs, isBusy }: { everyMs: number; isBusy: () => boolean }): void {
  $effect(() => {
    let isLoading = false;
    const timer = setInterval(async () => {
      if (document.visibilityState !== 'visible' || isLoading || isBusy()) return;
      isLoading = true;
      try {
        await invalidate(USAGE_KEY);
      } finally {
        isLoading = false;
      }
    }, everyMs);
    return () => clearInterval(timer);
  });
}
