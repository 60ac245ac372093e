import type { ErrorCode } from '@tollgate/contracts/platform/errors';
import type { ActionResult } from '$app/forms';
import { page } from '$app/state';
import { createQuestion } from './question.svelte.ts';

/** The session ended while the member filled in a form: they sign in again. */
export const sessionEnd = createQuestion();

/** The form does something that needs a recent authentication: the member confirms their identity. */
export const identityCheck = createQuestion();

const IDENTITY_CHECK: ErrorCode = 'reauthentication-required';

/**
 * Asks the member for what a form lacked. Resolves to whether the same form can be submitted again; null when nothing of this kind
 * interrupted it.
 */
export async function resolveInterruption(result: ActionResult): Promise<boolean | null> {
  // Pages such as the sign-in have no dialogs, and follow a redirect to it.
  if (!page.route.id?.startsWith('/(app)')) return null;
  if (isSessionEnd(result)) return sessionEnd.ask();
  if (result.type === 'failure' && result.data?.['code'] === IDENTITY_CHECK) return identityCheck.ask();
  return null;
}

/** Only a session that has ended leads to a sign-in that returns here. */
function isSessionEnd(result: ActionResult): boolean {
  return result.type === 'redirect' && result.location.startsWith('/sign-in?next=');
}
