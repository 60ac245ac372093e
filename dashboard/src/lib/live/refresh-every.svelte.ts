import { invalidate } from '$app/navigation';

/**
 * Reloads what the page shows under a key every `everyMs`, while the tab is visible and `isBusy` returns false. Call it during
 * component initialization; it stops when the component is destroyed.
 */
export function refreshEvery(everyMs: number, { key, isBusy }: { key: string; isBusy: () => boolean }): void {
  $effect(() => {
    let isLoading = false;
    const timer = setInterval(async () => {
      if (document.visibilityState !== 'visible' || isLoading || isBusy()) return;
      isLoading = true;
      try {
        await invalidate(key);
      } finally {
        isLoading = false;
      }
    }, everyMs);
    return () => clearInterval(timer);
  });
}
