import type { FormFailure } from '#lib/server/form.ts';
import type { SubmitFunction } from '$app/forms';
import { goto, invalidate, preloadData } from '$app/navigation';
import { page } from '$app/state';
import type { PaymentView } from './payment-view.ts';
import { PAYMENTS_KEY } from './payments-key.ts';

/** What the page's state keeps while a payment is open beside the list. */
export interface OpenPayment {
  href: string;
  view: PaymentView;
}

export interface PaymentDrawer {
  readonly payment: OpenPayment | null;
  /** Why the drawer's form was rejected that was sent last. */
  readonly form: FormFailure | null;
  /** Opens the payment of a link beside the list, under the payment's own address; leaves the click alone where a page of its own is better. */
  open(event: MouseEvent, href: string): void;
  close(): void;
  /** Shows how the payment is now. */
  refresh(): Promise<void>;
  onsubmit: SubmitFunction;
}

/** Below this there is no room for list and drawer side by side: the payment has the page to itself. */
const ROOM_FOR_DRAWER = '(min-width: 48rem)';

export function createPaymentDrawer(): PaymentDrawer {
  let form = $state<FormFailure | null>(null);
  const payment = $derived(page.state.openPayment ?? null);

  async function load(href: string): Promise<PaymentView | null> {
    const result = await preloadData(href);
    return result.type === 'loaded' && result.status === 200 ? (result.data['view'] as PaymentView) : null;
  }

  async function show(href: string) {
    const view = await load(href);
    // A payment that cannot be loaded has a page that says why.
    if (view === null) return goto(href);
    form = null;
    await goto(href, { shallow: true, state: { openPayment: { href, view } } });
  }

  async function refresh() {
    if (payment === null) return;
    const { href } = payment;
    const view = await load(href);
    // It may have been closed meanwhile.
    if (view === null || page.state.openPayment?.href !== href) return;
    await goto(href, { shallow: true, replace: true, state: { openPayment: { href, view } } });
  }

  return {
    get payment() {
      return payment;
    },
    get form() {
      return form;
    },
    open(event, href) {
      const wantsNewTab =
        event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0;
      if (wantsNewTab || !matchMedia(ROOM_FOR_DRAWER).matches) return;
      event.preventDefault();
      void show(href);
    },
    close() {
      if (payment !== null) history.back();
    },
    refresh,
    onsubmit() {
      return async ({ result, update }) => {
        if (result.type !== 'failure' && result.type !== 'redirect') return update();
        form = result.type === 'failure' ? ((result.data ?? null) as FormFailure | null) : null;
        // First the list: it also drops what was preloaded before the change.
        await invalidate(PAYMENTS_KEY, true);
        await refresh();
      };
    },
  };
}
