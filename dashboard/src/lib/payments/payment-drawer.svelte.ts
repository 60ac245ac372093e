import { goto, preloadData } from '$app/navigation';
import { page } from '$app/state';
import type { PaymentView } from './payment-view.ts';

/** Page state while the drawer shows a payment beside the list. */
export interface OpenPayment {
  href: string;
  view: PaymentView;
}

export type PaymentDrawer = ReturnType<typeof createPaymentDrawer>;

/** On narrower screens the payment opens as a page of its own. */
const ROOM_FOR_DRAWER = '(min-width: 48rem)';

export function createPaymentDrawer() {
  const payment = $derived(page.state.openPayment ?? null);

  async function load(href: string): Promise<PaymentView | null> {
    const result = await preloadData(href);
    return result.type === 'loaded' && result.status === 200 ? (result.data['view'] as PaymentView) : null;
  }

  async function show(href: string) {
    const view = await load(href);
    // The page of a payment that cannot be loaded says why.
    if (view === null) return goto(href);
    await goto(href, { shallow: true, state: { openPayment: { href, view } } });
  }

  async function refresh() {
    if (payment === null) return;
    const { href } = payment;
    const view = await load(href);
    // The drawer may have been closed or changed meanwhile.
    if (view === null || page.state.openPayment?.href !== href) return;
    await goto(href, { shallow: true, replace: true, state: { openPayment: { href, view } } });
  }

  return {
    get payment() {
      return payment;
    },
    /**
     * Opens the linked payment in the drawer, under the payment's own address. Does nothing when a full page is better:
     * narrow screens, and clicks that open a new tab.
     */
    open(event: MouseEvent, href: string) {
      const wantsNewTab =
        event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0;
      if (wantsNewTab || !matchMedia(ROOM_FOR_DRAWER).matches) return;
      event.preventDefault();
      void show(href);
    },
    close() {
      if (payment !== null) history.back();
    },
    /** Reloads the payment. */
    refresh,
  };
}
