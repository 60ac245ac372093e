import type { SentRequest } from '@tollgate/admin-client/admin-client';
import type { AdminRoute } from '@tollgate/contracts/admin-api/route';
import { ID_PATTERNS, ID_PREFIXES, type IdKind, isId } from '@tollgate/contracts/platform/ids';
import type { Option } from '#lib/components/option.ts';
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

/** The filters of a list that a route of the admin API returns. */
export type FiltersOf<Route extends AdminRoute> = readonly Filter<Partial<SentRequest<Route>>>[];

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

/** A choice between fixed values, by their labels. Without `read`, the API request has the value by the same name. */
export function choiceFilter<
  Name extends string,
  Value extends string,
  Request extends object = Record<Name, Value>,
>(
  field: FieldOf & { name: Name; labels: Record<Value, string> },
  problem: string,
  read = (value: Value) => ({ [field.name]: value }) as Request,
): Filter<Partial<Request>> {
  const { labels, ...rest } = field;
  const isKnown = (text: string): text is Value => Object.hasOwn(labels, text);
  return textFilter(
    { any: 'Any', control: 'select', options: optionsOf(labels), ...rest },
    problem,
    (text) => (isKnown(text) ? read(text) : null),
  );
}

export function optionsOf(labels: Record<string, string>): Option[] {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}

/**
 * A field for a pasted id, or with the control `select` a choice whose options the load function provides. The field `key` is `key_id` in
 * the API request.
 */
export function idFilter<Name extends string>(
  kind: IdKind,
  field: Omit<FieldOf, 'control'> & { name: Name; control?: 'select' },
  problem: string,
): Filter<Partial<Record<`${Name}_id`, string>>> {
  const text = { placeholder: `${ID_PREFIXES[kind]}_…`, pattern: ID_PATTERNS[kind].source, isMono: true };
  return textFilter({ ...(field.control === undefined && text), ...field }, problem, (id) =>
    isId(kind, id) ? ({ [`${field.name}_id`]: id } as Record<`${Name}_id`, string>) : null,
  );
}

/** The records of one application. The load function provides the options. */
export const applicationFilter = idFilter(
  'application',
  { name: 'application', label: 'Application', control: 'select', any: 'All' },
  'Select an application.',
);

/** A search field. Its placeholder says what it finds. */
export function searchFilter(placeholder: string, maxlength: number): Filter<{ search?: string }> {
  return textFilter(
    { name: 'search', label: 'Search', control: 'search', placeholder, maxlength },
    `Enter at most ${maxlength} characters.`,
    (search) => (search.length <= maxlength ? { search } : null),
  );
}

/** Records whose name contains a text. */
export const nameFilter = textFilter(
  { name: 'name', label: 'Name', control: 'search', placeholder: 'Part of the name', maxlength: 80 },
  'Enter a part of the name.',
  (name) => ({ name }),
);
