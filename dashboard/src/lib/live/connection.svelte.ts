import { createPatientFetch } from './patient-fetch.ts';

let isLost = $state(false);
let retry = () => {};

/** Whether the dashboard responds to the requests for page data. */
export const connection = {
  get isLost() {
    return isLost;
  },
  /** Repeats the requests that wait now. */
  retry: () => retry(),
};

/**
 * Makes requests for page data wait while the dashboard cannot be reached. Otherwise SvelteKit leaves the page, and what the member
 * typed, for the error page of the browser. Returns a function that ends this.
 */
export function holdPageData(): () => void {
  const send = window.fetch;
  const patient = createPatientFetch(send, {
    onReached(isReached) {
      isLost = !isReached;
    },
  });
  retry = patient.retry;
  window.fetch = (input, init) => (isPageData(input) ? patient.fetch(input, init) : send(input, init));
  window.addEventListener('online', patient.retry);
  return () => {
    window.fetch = send;
    window.removeEventListener('online', patient.retry);
    isLost = false;
  };
}

function isPageData(input: RequestInfo | URL): boolean {
  const url = new URL(input instanceof Request ? input.url : input, location.href);
  return url.origin === location.origin && url.pathname.endsWith('/__data.json');
}
