/** A path of a listener, with `:name` for parameters and `*` for any rest, and its methods. */
export interface KnownPath {
  path: string;
  methods: readonly string[];
}

/** Value of the `Allow` header (RFC 9110 §10.2.1) for a path that exists, or null. */
export type AllowedMethods = (path: string) => string | null;

export function createAllowedMethods(known: readonly KnownPath[]): AllowedMethods {
  const patterns = known.map(({ path, methods }) => ({ pattern: patternOf(path), methods }));
  return (path) => {
    const methods = patterns.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods);
    return methods.length === 0 ? null : [...new Set(methods)].join(', ');
  };
}

function patternOf(path: string): RegExp {
  const source = path
    .replaceAll('.', '\\.')
    .replaceAll('*', '.*')
    .replaceAll(/:[a-z_]+/g, '[^/]+');
  return new RegExp(`^${source}$`);
}
