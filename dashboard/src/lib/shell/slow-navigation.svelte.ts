import { navigating, page } from '$app/state';

/**
 * Whether the next page has been loading for longer than `delayMs`. With `toOtherPage`, only if it has another path, so not when a filter
 * changes. Call it during component initialization.
 */
export function slowNavigation({ delayMs, toOtherPage = false }: { delayMs: number; toOtherPage?: boolean }) {
  let isUnderWay = $state(false);

  $effect(() => {
    const target = navigating.to?.url;
    if (!target || (toOtherPage && target.pathname === page.url.pathname)) {
      isUnderWay = false;
      return;
    }
    const timer = setTimeout(() => (isUnderWay = true), delayMs);
    return () => clearTimeout(timer);
  });

  return {
    get isUnderWay() {
      return isUnderWay;
    },
  };
}
