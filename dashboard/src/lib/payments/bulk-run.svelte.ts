import type { PaymentRow } from '@tollgate/contracts/payments/payment-history';
import { focusRejected } from '#lib/forms/focus-rejected.ts';
import { resolveInterruption } from '#lib/session/interruption.svelte.ts';
import { applyAction, type SubmitFunction } from '$app/forms';
import { refreshAll } from '$app/navigation';
import type { BulkResult } from './bulk-view.ts';

/** Few, so that the member sees progress. The server changes as many at the same time. */
const PAYMENTS_AT_ONCE = 8;

/** What the action returns for some of the payments. */
type BulkOutcome = {
  results: Record<string, BulkResult>;
  changed: PaymentRow[];
};

/**
 * Submits the payments of a form in small parts, one after the other: `<form use:enhance={run.submit}>`. The page shows the results when
 * all have theirs, or when a part fails.
 */
export function createBulkRun() {
  /** Ids of payments without a result; null while no run is in flight. */
  let rest: string[] | null = $state(null);
  let outcome: BulkOutcome = $state({ results: {}, changed: [] });
  let isInterrupted = $state(false);
  let isSending = false;

  const submit: SubmitFunction = ({ formData, formElement, cancel }) => {
    if (isSending) return cancel();
    isSending = true;
    if (rest === null) {
      rest = formData.getAll('payment').map(String);
      outcome = { results: {}, changed: [] };
      isInterrupted = false;
    }
    const part = rest.slice(0, PAYMENTS_AT_ONCE);
    formData.delete('payment');
    for (const id of part) formData.append('payment', id);

    return async ({ result, update }) => {
      if (await resolveInterruption(result)) {
        isSending = false;
        formElement.requestSubmit();
        return;
      }
      if (result.type === 'success') {
        const { results, changed } = result.data as BulkOutcome;
        outcome = {
          results: { ...outcome.results, ...results },
          changed: [...outcome.changed, ...changed],
        };
        rest = rest?.slice(part.length) ?? [];
        isSending = false;
        if (rest.length > 0) formElement.requestSubmit();
        else await finish({ ...result, data: outcome });
      } else if (outcome.changed.length > 0) {
        isInterrupted = true;
        await finish({ type: 'success', status: 200, location: result.location ?? '', data: outcome });
      } else {
        isSending = false;
        rest = null;
        await update({ reset: false });
        await focusRejected(formElement);
      }
    };

    async function finish(whole: Parameters<typeof applyAction>[0]) {
      await refreshAll();
      await applyAction(whole);
      isSending = false;
      rest = null;
    }
  };

  return {
    get isUnderWay() {
      return rest !== null;
    },
    /** Payments with a result. */
    get done() {
      return outcome.changed.length;
    },
    /** Whether the last run ended before all payments had a result. */
    get isInterrupted() {
      return isInterrupted;
    },
    submit,
  };
}
