import { IDEMPOTENCY_KEY_INDEXES, IDEMPOTENCY_KEYS } from '@tollgate/store/idempotency-store';
import type { DatabaseSchema } from '@tollgate/store/schema/database-schema';
import { APPROVAL_POLICIES, APPROVAL_POLICY_INDEXES } from './approval/approval-policy.ts';
import { APPROVAL_REQUESTS } from './approval/approval-request.ts';
import { APPROVAL_REQUEST_INDEXES } from './approval/approval-store.ts';
import { COMPARISON_INDEXES, COMPARISONS } from './reconciliation/comparison-store.ts';
import { DIFFERENCES } from './reconciliation/difference.ts';
import { DIFFERENCE_INDEXES } from './reconciliation/difference-store.ts';
import { RETENTION_SETTING_INDEXES, RETENTION_SETTINGS } from './retention/data-retention.ts';
import { SANDBOX_RESET_INDEXES, SANDBOX_RESETS } from './sandbox-reset/sandbox-reset.ts';
import { PAYMENT_INDEXES } from './store/payment-indexes.ts';
import { STUCK_BURST_INDEXES, STUCK_BURSTS } from './stuck/stuck-burst.ts';
import { ROLL_UP_INDEXES, ROLL_UPS } from './totals/roll-up-store.ts';

/** Documents of these collections carry audit entries until the audit service confirms them. */
const AUDITED = {
  [DIFFERENCES]: DIFFERENCE_INDEXES,
  [RETENTION_SETTINGS]: RETENTION_SETTING_INDEXES,
  [APPROVAL_POLICIES]: APPROVAL_POLICY_INDEXES,
  [APPROVAL_REQUESTS]: APPROVAL_REQUEST_INDEXES,
  [SANDBOX_RESETS]: SANDBOX_RESET_INDEXES,
  [STUCK_BURSTS]: STUCK_BURST_INDEXES,
};
export const AUDITED_COLLECTIONS = Object.keys(AUDITED);

export const paymentsSchema: DatabaseSchema = {
  version: 1,
  readableFrom: 1,
  indexes: {
    payments: PAYMENT_INDEXES,
    [COMPARISONS]: COMPARISON_INDEXES,
    [ROLL_UPS]: ROLL_UP_INDEXES,
    ...AUDITED,
    [IDEMPOTENCY_KEYS]: IDEMPOTENCY_KEY_INDEXES,
  },
};
