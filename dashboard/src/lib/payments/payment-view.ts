import type { PaymentEventType } from '@tollgate/contracts/payments/events';
import type { PaymentDetail, Reversal } from '@tollgate/contracts/payments/payment-history';
import type { ProcessorCall } from '@tollgate/contracts/payments/processors';
import type { ApprovalRequest } from '@tollgate/contracts/payments/settlement-approval';
import type { Delivery, WebhookEvent } from '@tollgate/contracts/webhooks/webhook';
import type { PagePart } from '#lib/server/page-part.ts';

/** A payment as its page and the drawer show it. */
export interface PaymentView {
  payment: PaymentDetail;
  /** Oldest first. */
  timeline: TimelineStep[];
  /** Null while the applications service is unavailable. */
  applicationName: string | null;
  settledBy: SettledBy;
  /** The request for a settlement that waits for a second member; null if there is none. */
  approval: ApprovalView | null;
  /** In minor units: the payment is above this amount, so that settling it needs a second member. Null if it needs none. */
  approvalAbove: number | null;
  /** Whether the payment can be canceled, and this member may cancel it. */
  mayCancel: boolean;
  /** Whether this member may record what was done about a difference. */
  mayResolveDifference: boolean;
  /** Whether the payment has ended, has its personal data, and this member may erase it. */
  mayErase: boolean;
  /** Newest first; a message while the webhooks service is unavailable. */
  events: PagePart<(WebhookEvent & { deliveries: Delivery[] })[]>;
  /** Newest first; a message when they could not be loaded. */
  processorCalls: PagePart<ProcessorCall[]>;
}

/** A request for approval, as this member sees it. */
export interface ApprovalView {
  request: ApprovalRequest;
  /** Whether this member requested it, and so cannot approve it. */
  isOwn: boolean;
  mayDecide: boolean;
}

/** How a member can settle the payment; null when it is final, or when its processor decides. */
export type SettledBy =
  | 'simulation'
  | 'member'
  | 'simulation-of-greater-role'
  | 'member-of-greater-role'
  | null;

/** One transition with its cause, or a refund or a dispute at the processor. */
export interface TimelineStep {
  /** Unique in the timeline. */
  id: string;
  type: PaymentEventType | Reversal['type'];
  at: string;
  by: {
    kind: 'key' | 'member' | 'token' | 'processor' | 'expiry' | 'retention' | 'other';
    name: string;
    href: string | null;
    note: string | null;
  };
  requestId: string | null;
  /** Refunded or disputed in all; null for a transition. */
  money: { amount: number; currency: string } | null;
}
