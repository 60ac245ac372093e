import type { FormFailure } from '#lib/server/form.ts';

export interface FormOutcome {
  /** Why the form was rejected, with the values that were typed. */
  failure: FormFailure | null;
  /** What happened, in one sentence. */
  done: string | undefined;
}

/**
 * The outcome of one form of a page. A hidden field identifies the form, `<input type="hidden" name="form"
 * value="rename">`. A failure repeats it in its values; a successful action returns `{ form: 'rename', done: '…' }`.
 */
export function outcomeOf(response: object | null | undefined, form: string): FormOutcome {
  const {
    form: succeeded,
    done,
    errors,
    values,
  } = (response ?? {}) as Partial<FormFailure> & {
    form?: string;
    done?: string;
  };
  return {
    failure: errors && values?.['form'] === form ? (response as FormFailure) : null,
    done: succeeded === form ? done : undefined,
  };
}
