import type { FormFailure } from '#lib/server/form.ts';

export interface FormOutcome {
  /** Why it was rejected, with what was typed. */
  failure: FormFailure | null;
  /** What happened, in a sentence. */
  done: string | undefined;
}

/**
 * What became of one of the forms of a page. They tell themselves apart by a hidden field, `<input type="hidden" name="form"
 * value="rename">`, which a rejection repeats; an action that succeeds returns `{ form: 'rename', done: '…' }`.
 */
export function outcomeOf(answer: object | null | undefined, form: string): FormOutcome {
  const {
    form: succeeded,
    done,
    errors,
    values,
  } = (answer ?? {}) as Partial<FormFailure> & {
    form?: string;
    done?: string;
  };
  return {
    failure: errors && values?.['form'] === form ? (answer as FormFailure) : null,
    done: succeeded === form ? done : undefined,
  };
}
