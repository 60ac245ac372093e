import { redirect } from '@sveltejs/kit';
import type { Options } from '#lib/components/option.ts';
import type { ListData, Page } from '#lib/list/list-data.ts';
import { type PartName, pagePart } from '../page-part.ts';
import { startOver } from '../start-over.ts';
import type { Filter } from './filter.ts';
import { listPath, readFilters } from './read-filters.ts';
import { showFilters } from './show-filters.ts';

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

/** Loads the page of a list that the address asks for. A service that is down affects the records, not the filters. */
export async function loadList<Row, Request extends object>(
  { url, locals }: { url: URL; locals: Pick<App.Locals, 'timeZone'> },
  list: ListOf<Row, Request>,
): Promise<ListData<Row>> {
  const path = url.pathname;
  const read = readFilters(list.filters, url.searchParams, locals.timeZone);
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
    ).catch(startOver(listPath(path, read.values))),
    loadOptions(list.options ?? {}),
  ]);
  const { fields, chips } = showFilters(list.filters, read, { path, options });
  return {
    path,
    fields,
    chips,
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
