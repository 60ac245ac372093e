import { AdminProblem } from './admin-problem.ts';

/** One part of a page, or what to say in its place. */
export type PagePart<T> = { ok: true; data: T } | { ok: false; message: string; requestId: string | null };

const SERVICES = { payments: 'payments', applications: 'applications', accounts: 'accounts' } as const;

const UNAVAILABLE = 502;

/**
 * Loads one part of a page, so that a service which does not answer takes away that part and not the page:
 * `payments: await pagePart('payments', locals.admin.call(ADMIN_ROUTES.listPayments, {…}))`.
 * Refusals (no such thing, not allowed) and an ended session concern the page as a whole and go on.
 */
export async function pagePart<T>(service: keyof typeof SERVICES, loading: Promise<T>): Promise<PagePart<T>> {
  try {
    return { ok: true, data: await loading };
  } catch (error) {
    if (!(error instanceof AdminProblem) || error.status < UNAVAILABLE) throw error;
    return { ok: false, message: messageAbout(service, error), requestId: error.requestId };
  }
}

function messageAbout(service: keyof typeof SERVICES, problem: AdminProblem): string {
  // No request id: the gateway itself was not reached, hence none of the services.
  if (problem.requestId === null) return problem.detail;
  const others = Object.values(SERVICES).filter((other) => other !== service);
  return `The ${service} service does not answer. What ${others.join(' and ')} show still works.`;
}
