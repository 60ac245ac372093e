/** A text that the processes under test run in place of another. */
export interface SourceChange {
  /** End of the path of a module, such as `payments/src/processing/claim.ts`. */
  file: string;
  from: string;
  to: string;
}

export const CHANGED_SOURCES_VARIABLE = 'TEST_CHANGED_SOURCES';
const CHANGE_SOURCES = new URL('change-sources.ts', import.meta.url);

/** The environment of processes that import these modules first, and run with these changes. */
export function preloadEnv(
  modules: readonly URL[],
  changes: readonly SourceChange[],
): Record<string, string> {
  const all = changes.length === 0 ? modules : [...modules, CHANGE_SOURCES];
  if (all.length === 0) return {};
  return {
    NODE_OPTIONS: all.map((module) => `--import=${module}`).join(' '),
    [CHANGED_SOURCES_VARIABLE]: JSON.stringify(changes),
  };
}
