import { focusRejected } from '#lib/forms/focus-rejected.ts';
import type { FormFailure } from '#lib/server/form.ts';
import type { SubmitFunction } from '$app/forms';

/**
 * The form of a dialog over another form, whose page and values stay as they are. A second submission while the first is in flight
 * does nothing.
 *
 * @param redirected called with the address of a redirect. Returns false for one that the page should follow
 */
export function createDialogForm(redirected: (location: string) => boolean) {
  let failure = $state<FormFailure | null>(null);
  let isSending = false;

  const submit: SubmitFunction = ({ cancel, formElement }) => {
    if (isSending) return cancel();
    isSending = true;
    return async ({ result, update }) => {
      isSending = false;
      failure = result.type === 'failure' ? (result.data as unknown as FormFailure) : null;
      const isDone = failure !== null || (result.type === 'redirect' && redirected(result.location));
      if (!isDone) await update();
      await focusRejected(formElement);
    };
  };

  return {
    /** Why the last submission was rejected. */
    get failure() {
      return failure;
    },
    submit,
  };
}
