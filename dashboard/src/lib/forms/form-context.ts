import { getContext, setContext } from 'svelte';
import type { FieldLimits } from '#lib/server/field-limits.ts';
import type { FormFailure } from '#lib/server/form.ts';

/** What the fields of a form read from it. */
interface FormContext {
  /** Why the form was rejected; null if it was not. */
  readonly failure: FormFailure | null;
  /** Limits by field name. */
  readonly limits?: Record<string, FieldLimits> | undefined;
}

interface FieldProps {
  name: string;
  /** The stored value, or the one that is offered. */
  value?: unknown;
  hint?: string | undefined;
}

const KEY = Symbol('form');

export function provideForm(form: FormContext): void {
  setContext(KEY, form);
}

/**
 * A field of the surrounding form. After a rejection it shows what was typed, and after a conflict also the value that another
 * member has saved.
 * @param textOf the stored value as members read it
 */
export function createField(read: () => FieldProps, textOf = (value: string) => value) {
  const form = getContext<FormContext | undefined>(KEY);
  const stored = () => String(read().value ?? '');
  return {
    get value(): string {
      return form?.failure?.values[read().name] ?? stored();
    },
    get error() {
      return form?.failure?.errors[read().name];
    },
    get hint() {
      const typed = isConflict(form) ? form.failure.values[read().name] : undefined;
      if (typed === undefined || typed === stored()) return read().hint;
      return `Current value: ${textOf(stored()) || 'none'}`;
    },
    get limits(): FieldLimits {
      return form?.limits?.[read().name] ?? {};
    },
  };
}

/** The same for a field with several values: switches and check boxes of one name. */
export function createChoices(read: () => { name: string; value: readonly string[] }) {
  const form = getContext<FormContext | undefined>(KEY);
  const shown = () => (form?.failure ? (form.failure.lists[read().name] ?? []) : read().value);
  return {
    get value() {
      return shown();
    },
    get error() {
      return form?.failure?.errors[read().name];
    },
    /** Whether another member has saved other values meanwhile. */
    get isOutdated() {
      return isConflict(form) && shown().toSorted().join() !== read().value.toSorted().join();
    },
  };
}

function isConflict(form: FormContext | undefined): form is FormContext & { failure: FormFailure } {
  return form?.failure?.code === 'precondition-failed';
}
