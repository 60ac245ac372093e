import { Problem } from '@tollgate/contracts/platform/problem';

const RETRY_AFTER_S = 5;

/** Counts what is open at the same time under one or more names (a member, a team). */
export interface OpenSlots {
  /**
   * Takes a slot under each name and returns a function that releases them. Throws rate-limited when a name is at its
   * limit.
   */
  take(limits: Record<string, number>): () => void;
}

/** @param what plural shown to the caller, such as `exports` */
export function createOpenSlots(what: string): OpenSlots {
  const open = new Map<string, number>();

  return {
    take(limits) {
      const names = Object.keys(limits);
      const full = names.find((name) => (open.get(name) ?? 0) >= (limits[name] as number));
      if (full !== undefined) {
        throw new Problem(
          'rate-limited',
          `The limit of ${limits[full]} open ${what} is reached. Close one first.`,
          {
            retryAfterS: RETRY_AFTER_S,
          },
        );
      }
      for (const name of names) open.set(name, (open.get(name) ?? 0) + 1);
      return () => {
        for (const name of names) {
          const left = (open.get(name) as number) - 1;
          if (left > 0) open.set(name, left);
          else open.delete(name);
        }
      };
    },
  };
}
