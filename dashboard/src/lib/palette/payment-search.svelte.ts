import type { Environment } from '@tollgate/contracts/platform/environment';
import type { FoundPayment } from './commands.ts';

/** Longer than the time between two keys of a member who types. */
const TYPING_MS = 200;
/** A single character would find most payments. */
const MIN_LENGTH = 2;

/** The payments that the search finds for the text, a moment after the member stopped typing. */
export function searchPayments(environment: () => Environment, text: () => string) {
  let found = $state<readonly FoundPayment[]>([]);

  $effect(() => {
    const search = text().trim();
    const inEnvironment = environment();
    if (search.length < MIN_LENGTH) {
      found = [];
      return;
    }
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const query = new URLSearchParams({ environment: inEnvironment, search });
        const response = await fetch(`/palette/payments?${query}`, { signal: abort.signal });
        found = response.ok ? await response.json() : [];
      } catch {
        // The member has typed on, or the connection failed. The command that opens the search remains.
        if (!abort.signal.aborted) found = [];
      }
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  });

  return {
    get found() {
      return found;
    },
  };
}
