import type { SubmitFunction } from '$app/forms';

/**
 * Sends a form without leaving the page: `<form use:enhance={submission.submit}>`. What was typed stays in its fields, the data
 * of the page is read again (after a refusal, too: somebody else may have changed it), and a second press while the first is
 * under way does nothing. A dialog around the form closes when it succeeds.
 */
export function createSubmission(): { readonly isUnderWay: boolean; submit: SubmitFunction } {
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
        await update({ reset: false, refreshAll: result.type !== 'redirect' });
        isUnderWay = false;
      };
    },
  };
}
