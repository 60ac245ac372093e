import type { Filter, Values } from './filter.ts';

export interface ReadFilters<Request extends object> {
  values: Values;
  /** The API request. */
  request: Request;
  /** What to correct first, by field name. */
  errors: Partial<Record<string, string>>;
  isValid: boolean;
}

/** Reads the filters from an address. Fields of other names, such as the cursor, are ignored. */
export function readFilters<Request extends object>(
  filters: readonly Filter<Request>[],
  query: URLSearchParams,
  timeZone: string,
): ReadFilters<Request> {
  const values = valuesOf(filters, query);
  const errors: Record<string, string> = {};
  const reject = (name: string, sentence: string) => {
    errors[name] ??= sentence;
  };
  const parts = filters.map(({ read }) => read(values, reject, timeZone));
  return {
    values,
    request: Object.assign({}, ...parts) as Request,
    errors,
    isValid: Object.keys(errors).length === 0,
  };
}

/** The address of a list with these values, or without some of them. */
export function listPath(path: string, values: Values, without: readonly string[] = []): string {
  const query = new URLSearchParams([...values].filter(([name]) => !without.includes(name)));
  return query.size > 0 ? `${path}?${query}` : path;
}

function valuesOf(filters: readonly Filter<object>[], query: URLSearchParams): Values {
  const names = filters.flatMap(({ fields }) => fields.map(({ name }) => name));
  return new URLSearchParams(
    names.map((name) => [name, query.get(name)?.trim() ?? '']).filter(([, value]) => value !== ''),
  );
}
