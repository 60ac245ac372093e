import type { Environment } from '@tollgate/contracts/platform/environment';
import type { Hit } from './commands.ts';

/** Longer than the time between two keys of a member who types. */
const TYPING_MS = 200;
/** A single character would find most payments. */
const MIN_LENGTH = 2;

/** The records that the server finds for the text, a moment after the member stopped typing. */
export function searchRecords(environment: () => Environment, typed: () => string) {
  let found = $state<readonly Hit[]>([]);
  let isSearching = $state(false);

  $effect(() => {
    const text = typed().trim();
    const inEnvironment = environment();
    const isLongEnough = text.length >= MIN_LENGTH;
    isSearching = isLongEnough;
    if (!isLongEnough) {
      found = [];
      return;
    }
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      const hits = await find(inEnvironment, text, abort.signal).catch(() => []);
      // The member has typed on.
      if (abort.signal.aborted) return;
      found = hits;
      isSearching = false;
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
    get isSearching() {
      return isSearching;
    },
  };
}

/** The text is in the body: an address is in logs and in the history, and the text may be a secret key. */
async function find(environment: Environment, text: string, signal: AbortSignal): Promise<Hit[]> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ environment, text });
  const response = await fetch('/palette/find', { method: 'POST', headers, body, signal });
  return response.ok ? response.json() : [];
}
