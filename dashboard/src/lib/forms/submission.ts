import { resolveInterruption } from '#lib/session/interruption.svelte.ts';
import type { ActionResult, SubmitFunction } from '$app/forms';
import { focusRejected } from './focus-rejected.ts';
import { forgetTyped } from './typed-values.ts';

const SERVER_ERROR = 500;

/**
 * Submits a form without leaving the page: `<form use:enhance={createSubmission()}>`. The fields keep their values, and
 * the page's data is reloaded, also after a rejection, because another member may have changed it. A second submission
 * while the first is in flight does nothing. A dialog around the form closes on success. When the session has ended, or
 * the form needs a recent authentication, a dialog asks the member, and the form is submitted again.
 * @param isReset whether the fields are emptied after a success: for passwords
 */
export function createSubmission(isReset: () => boolean = () => false): SubmitFunction {
  let isInFlight = false;
  return ({ cancel, formElement, submitter }) => {
    if (isInFlight) {
      cancel();
      return;
    }
    isInFlight = true;
    return async ({ result, update }) => {
      const mayRepeat = await resolveInterruption(result);
      if (mayRepeat !== null) {
        isInFlight = false;
        if (mayRepeat) formElement.requestSubmit(submitter);
        return;
      }
      if (result.type === 'success') {
        forgetTyped(formElement);
        formElement.closest('dialog')?.close();
      }
      await update({ reset: isReset(), refreshAll: isWorthRefreshing(result) });
      isInFlight = false;
      await focusRejected(formElement);
    };
  };
}

/** While a service is unavailable, reloading would replace the page, and what the member typed, with an error page. */
function isWorthRefreshing(result: ActionResult): boolean {
  return result.type === 'success' || (result.type === 'failure' && result.status < SERVER_ERROR);
}
