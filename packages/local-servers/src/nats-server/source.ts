/** Options of every source of a nats-server. */
export interface SourceOptions {
  env: NodeJS.ProcessEnv;
  /** Folder of downloaded executables: `.cache` of the checkout, or `TOLLGATE_CACHE_DIR`. */
  cacheDir: string;
  /** Tells the waiting user what is being done, and why it failed. */
  say(line: string): void;
}

/** @returns path of a usable nats-server, or null if this source has none; then the next one is tried */
export type Source = (options: SourceOptions) => Promise<string | null>;
