import type { Field } from '#lib/list/list-data.ts';

/** The filters that are set, as typed, by field name. */
export type Values = URLSearchParams;

/** Rejects the value of a field, with a sentence that says what to enter. */
export type Reject = (name: string, sentence: string) => void;

/** One filter of a list: its fields, its part of the API request, and how it appears when it is active. */
export interface Filter<Request extends object> {
  fields: readonly Field[];
  read: (values: Values, reject: Reject, timeZone: string) => Request;
  chips: readonly FilterChip[];
}

export interface FilterChip {
  label: string;
  /** Set and removed together. The filter is active when the first one is set. */
  names: readonly [string, ...string[]];
  /** Without it, the chip says the label of the selected option, or what was typed. */
  say?: (values: Values) => string;
}

/** What the constructors of filters add to the field. */
type FieldOf = Omit<Field, 'control' | 'options'> & Partial<Pick<Field, 'control' | 'options'>>;

/** A filter with one field. `read` returns null for a text that is invalid. It never receives an empty one. */
export function textFilter<Request extends object>(
  field: FieldOf,
  problem: string,
  read: (text: string) => Request | null,
): Filter<Partial<Request>> {
  const { name, label, control = 'text' } = field;
  return {
    fields: [{ ...field, control }],
    chips: control === 'hidden' || field.isView ? [] : [{ label, names: [name] }],
    read(values, reject) {
      const text = values.get(name);
      if (text === null) return {};
      const request = read(text);
      if (request !== null) return request;
      reject(name, problem);
      return {};
    },
  };
}
