/** What every source of a nats-server gets. */
export interface SourceOptions {
  env: NodeJS.ProcessEnv;
  /** Where fetched executables are kept: `.cache` of the checkout, or `TOLLGATE_CACHE_DIR`. */
  cacheDir: string;
  /** Says to the person who waits what is being done, and why it did not work. */
  say(line: string): void;
}

/** @returns path of a usable nats-server, or null when this source has none: then the next one is asked */
export type Source = (options: SourceOptions) => Promise<string | null>;
