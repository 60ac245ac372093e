import { invalidate } from '$app/navigation';
import { USAGE_KEY } from './usage-key.ts';

/**
 * Loads the usage that the page shows again every `everyMs`, as long as someone looks at the tab and `isBusy` says nothing else. Call it
 * while a component is made; it ends with the component.
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
