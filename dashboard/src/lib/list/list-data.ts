import type { Options } from '#lib/components/option.ts';
import type { PagePart } from '#lib/server/page-part.ts';

/** One field of the filters of a list. Its name is also the parameter of the address. */
export interface Field {
  name: string;
  label: string;
  /** The value of a hidden field is chosen by tabs or by the header of a column. */
  control: 'search' | 'text' | 'select' | 'date' | 'time' | 'hidden';
  options?: Options;
  /** Label of the empty option: `All`. */
  any?: string;
  placeholder?: string;
  maxlength?: number;
  /** What a complete value looks like. While a member types, the list waits for such a value. */
  pattern?: string;
  /** Monospace, for ids and codes. */
  isMono?: boolean;
  /** Few members need it: behind a summary. */
  isMore?: boolean;
  /** Changes how the list is shown, not which records it contains. */
  isView?: boolean;
}

export interface ShownField extends Field {
  value: string;
  error: string | undefined;
  /** Another field must be set first. */
  isDisabled?: boolean;
}

/** One active filter, with the address of the list without it. */
export interface Chip {
  label: string;
  value: string;
  hrefWithout: string;
}

export interface Tab {
  label: string;
  count?: string | null;
  href: string;
  isCurrent: boolean;
}

export interface Page<Row> {
  data: Row[];
  next_cursor: string | null;
  previous_cursor: string | null;
}

/** A list of records, ready to render. */
export interface ListData<Row> {
  /** The address without filters. */
  path: string;
  fields: ShownField[];
  chips: Chip[];
  /** Empty while a filter is invalid. */
  page: PagePart<Page<Row>>;
  hasErrors: boolean;
  isFiltered: boolean;
  isFirstPage: boolean;
  /** More records match, but the search stopped before the page was full. */
  isShort: boolean;
}

/** The value of a filter; undefined when it is not set. */
export function filterValue(list: ListData<unknown>, name: string): string | undefined {
  return list.fields.find((field) => field.name === name)?.value || undefined;
}

/** The address of the list with some filters changed. An empty value removes a filter. */
export function hrefWith(
  { path, fields }: Pick<ListData<unknown>, 'path' | 'fields'>,
  changes: Record<string, string>,
): string {
  const values = fields.map(({ name, value }) => [name, changes[name] ?? value] as const);
  const query = new URLSearchParams(values.filter(([, value]) => value !== '').map(([...pair]) => pair));
  return query.size > 0 ? `${path}?${query}` : path;
}
