import { type Cookies, redirect } from '@sveltejs/kit';
import type { Chip, ListData, Option, OptionGroup, Page, ShownField } from '#lib/list/list-data.ts';
import { isAboutCursor } from '../is-about-cursor.ts';
import { type PartName, pagePart } from '../page-part.ts';
import { readTimeZone, TIME_ZONE_COOKIE } from '../time-zone.ts';
import type { Filter, Values } from './filter.ts';
import { listPath, type ReadFilters, readFilters } from './read-filters.ts';

export type Options = readonly (Option | OptionGroup)[];

/** A list of records: its filters, and where it gets a page of them. */
export interface ListOf<Row, Request extends object> {
  /** Names the list in the notice that it could not be loaded. */
  part: PartName;
  filters: readonly Filter<Request>[];
  /** Options that are read from a service, by field name. */
  options?: Record<string, Promise<Options>>;
  pageSize: number;
  call: (request: Request & { limit: number; cursor?: string }) => Promise<Page<Row>>;
}

/** Where the list is shown. */
interface ListEvent {
  url: URL;
  cookies: Cookies;
}

/** Loads the page of a list that the address asks for. A service that is down affects the records, not the filters. */
export async function loadList<Row, Request extends object>(
  { url, cookies }: ListEvent,
  list: ListOf<Row, Request>,
): Promise<ListData<Row>> {
  const path = url.pathname;
  const read = readFilters(list.filters, url.searchParams, readTimeZone(cookies.get(TIME_ZONE_COOKIE)));
  // A form also submits empty fields. The redirect removes them from the address. The name of a form action has no value either.
  const isEmpty = ([name, value]: [string, string]) => value === '' && !name.startsWith('/');
  if (url.searchParams.entries().some(isEmpty)) redirect(303, listPath(path, read.values));
  const cursor = url.searchParams.get('cursor');
  const request = { limit: list.pageSize, ...(cursor !== null && { cursor }), ...read.request };
  const [page, options] = await Promise.all([
    pagePart(
      list.part,
      read.isValid
        ? list.call(request)
        : Promise.resolve({ data: [], next_cursor: null, previous_cursor: null }),
    ).catch((error) => {
      // The cursor is of an old address, or of other filters.
      if (isAboutCursor(error)) redirect(303, listPath(path, read.values));
      throw error;
    }),
    loadOptions(list.options ?? {}),
  ]);
  const fields = shownFields(list.filters, options, read);
  return {
    path,
    fields,
    chips: shownChips(list.filters, fields, read.values, path),
    page,
    hasErrors: !read.isValid,
    isFiltered: fields.some(({ value, isView }) => value !== '' && !isView),
    isFirstPage: cursor === null,
    isShort: page.ok && page.data.next_cursor !== null && page.data.data.length < request.limit,
  };
}

async function loadOptions(options: Record<string, Promise<Options>>): Promise<Record<string, Options>> {
  const loaded = Object.entries(options).map(async ([name, loading]) => [name, await loading] as const);
  return Object.fromEntries(await Promise.all(loaded));
}

function shownFields(
  filters: readonly Filter<object>[],
  loaded: Record<string, Options>,
  { values, errors }: Pick<ReadFilters<object>, 'values' | 'errors'>,
): ShownField[] {
  return filters
    .flatMap(({ fields }) => fields)
    .map((field) => {
      const value = values.get(field.name) ?? '';
      const options = loaded[field.name] ?? field.options;
      const shown = { ...field, value, error: errors[field.name] };
      return field.control === 'select' ? { ...shown, options: withChosen(options ?? [], value) } : shown;
    });
}

/** A value that is not offered, such as a deleted record or a status of a link, stays selected. */
function withChosen(options: Options, value: string): Options {
  return value === '' || labelOf(options, value) !== undefined
    ? options
    : [...options, { value, label: value }];
}

function labelOf(options: Options, value: string): string | undefined {
  const all = options.flatMap((option) => ('options' in option ? option.options : [option]));
  return all.find((option) => option.value === value)?.label;
}

function shownChips(
  filters: readonly Filter<object>[],
  fields: readonly ShownField[],
  values: Values,
  path: string,
): Chip[] {
  return filters
    .flatMap(({ chips }) => chips)
    .filter(({ names: [name] }) => values.has(name))
    .map(({ label, names, say }) => {
      const field = fields.find(({ name }) => name === names[0]);
      const value = field?.value ?? '';
      return {
        label,
        value: say ? say(values) : (labelOf(field?.options ?? [], value) ?? value),
        hrefWithout: listPath(path, values, names),
      };
    });
}
