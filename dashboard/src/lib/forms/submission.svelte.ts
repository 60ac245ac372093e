import type { ActionResult, SubmitFunction } from '$app/forms';

const SERVER_ERROR = 500;

/**
 * Sends a form without leaving the page: `<form use:enhance={submission.submit}>`. What was typed stays in its fields, the data
 * of the page is read again (after a rejection, too: someone else may have changed it), and a second press while the first is
 * in flight does nothing. A dialog around the form closes when it succeeds.
 * @param options.reset empties the fields after a success: for passwords
 */
export function createSubmission(options: { reset?: boolean } = {}): {
  readonly isUnderWay: boolean;
  submit: SubmitFunction;
} {
  let isUnderWay = $state(false);
  return {
    get isUnderWay() {
      return isUnderWay;
    },
    submit({ cancel, formElement }) {
      if (isUnderWay) {
        cancel();
        return;
      }
      isUnderWay = true;
      return async ({ result, update }) => {
        if (result.type === 'success') formElement.closest('dialog')?.close();
        await update({ reset: options.reset ?? false, refreshAll: isWorthRefreshing(result) });
        isUnderWay = false;
      };
    },
  };
}

/** While a service does not respond, reading the page again would only replace it, and what was typed, by an error page. */
function isWorthRefreshing(result: ActionResult): boolean {
  return result.type === 'success' || (result.type === 'failure' && result.status < SERVER_ERROR);
}
