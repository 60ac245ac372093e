import type { Options } from '#lib/components/option.ts';
import type { ListData } from '#lib/list/list-data.ts';
import type { Filter } from './filter.ts';
import { loadList } from './load-list.ts';

/** An empty list at an address, for tests of its filters. */
export function loadedList<Request extends object>(
  address: string,
  filters: readonly Filter<Request>[],
  options: Record<string, Promise<Options>> = {},
): Promise<ListData<never>> {
  const url = new URL(address, 'http://localhost');
  const empty = { data: [], next_cursor: null, previous_cursor: null };
  return loadList(
    { url, locals: { timeZone: 'UTC' } },
    { part: 'payments', filters, options, pageSize: 1, call: async () => empty },
  );
}
