import { AdminProblem } from '@tollgate/admin-client/admin-problem';
import type { ErrorCode } from '@tollgate/contracts/platform/errors';

/** One part of a page, or the message to show in its place. */
export type PagePart<T> =
  | { ok: true; data: T }
  | { ok: false; message: string; requestId: string | null; code: ErrorCode };

const PARTS = {
  payments: 'Payments',
  processors: 'Processors',
  reconciliation: 'The reconciliation',
  processorCalls: 'Calls to the processor',
  figures: 'Payment figures',
  applications: 'Applications',
  notifications: 'Notification settings',
  leakedKeyPolicy: 'The policy for leaked keys',
  dataRetention: 'The retention period',
  approvalPolicy: 'The approval policy',
  webhooks: 'Webhooks',
  endpointHealth: 'The health of the endpoint',
  usage: 'Usage',
  requests: 'Requests',
  audit: 'Audit records',
} as const;

export type PartName = keyof typeof PARTS;

const SERVER_ERROR = 500;

/**
 * Loads one part of a page, so that an unavailable service affects only that part:
 * `payments: await pagePart('payments', locals.admin.call(ADMIN_ROUTES.listPayments, {…}))`.
 * Rethrows client errors (not found, permission denied) and an ended session, which concern the whole page.
 */
export async function pagePart<T>(part: PartName, loading: Promise<T>): Promise<PagePart<T>> {
  try {
    return { ok: true, data: await loading };
  } catch (error) {
    if (!(error instanceof AdminProblem) || error.status < SERVER_ERROR) throw error;
    const message = `${PARTS[part]} could not be loaded. ${error.detail}`;
    return { ok: false, message, requestId: error.requestId, code: error.code };
  }
}
