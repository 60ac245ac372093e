import type { FormFailure } from '#lib/server/form.ts';

/**
 * The outcome of one of these forms of a page. A hidden field identifies the form, and `submitForm` adds it to what a
 * successful action returns: `{ form: 'rename', done: '…' }`.
 */
export function outcomeOf(response: object | null | undefined, ...forms: string[]) {
  const { form, done, errors, values } = (response ?? {}) as Partial<FormFailure> & {
    form?: string;
    done?: string;
  };
  const isOne = (name?: string) => name !== undefined && forms.includes(name);
  return {
    /** Why the form was rejected, with the values that were typed. */
    failure: errors && isOne(values?.['form']) ? (response as FormFailure) : null,
    /** What happened, in one sentence. */
    done: isOne(form) ? done : undefined,
  };
}
