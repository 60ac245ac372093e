/** The filters of a list as typed, by field name in the form and in the address; empty when not set. */
export type Typed<Name extends string> = Record<Name, string>;

export function readTyped<Name extends string>(names: readonly Name[], query: URLSearchParams): Typed<Name> {
  return Object.fromEntries(names.map((name) => [name, query.get(name)?.trim() ?? ''])) as Typed<Name>;
}

/** The query string of these filters, without those that are not set. */
export function queryOf<Name extends string>(names: readonly Name[], typed: Typed<Name>): URLSearchParams {
  return new URLSearchParams(names.filter((name) => typed[name] !== '').map((name) => [name, typed[name]]));
}

/** The address of a list with these filters. */
export function listPath<Name extends string>(
  path: string,
  names: readonly Name[],
  typed: Typed<Name>,
): string {
  const query = queryOf(names, typed);
  return query.size > 0 ? `${path}?${query}` : path;
}
