/** Runs jobs with the same key one after the other, and jobs with different keys at the same time. */
export interface Turns {
  take<Result>(key: string, job: () => Promise<Result>): Promise<Result>;
  /** Resolves when every job that was taken until now has ended. */
  settled(): Promise<void>;
}

export function createTurns(): Turns {
  const last = new Map<string, Promise<void>>();
  return {
    take(key, job) {
      const result = (last.get(key) ?? Promise.resolve()).then(job);
      const ended = result.then(
        () => undefined,
        () => undefined,
      );
      last.set(key, ended);
      void ended.then(() => last.get(key) === ended && last.delete(key));
      return result;
    },
    async settled() {
      await Promise.all(last.values());
    },
  };
}
