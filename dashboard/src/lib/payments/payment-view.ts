import type { loadPaymentView } from '#lib/server/payments/payment-detail.ts';

/** A payment as its page and the drawer show it. */
export type PaymentView = Awaited<ReturnType<typeof loadPaymentView>>;

/** A request for approval, as this member sees it. */
export type ApprovalView = NonNullable<PaymentView['approval']>;
