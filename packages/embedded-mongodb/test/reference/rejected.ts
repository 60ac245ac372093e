/** MongoDB rejects the operation. The code is known only where MongoDB documents it. */
export class Rejected extends Error {
  readonly code: number | undefined;

  constructor(message: string, code?: number) {
    super(message);
    this.name = 'Rejected';
    this.code = code;
  }
}

/** MongoDB leaves the result open, e.g. because it depends on the order in which documents are read. */
export class Undetermined extends Error {
  override name = 'Undetermined';
}

export function rejectUnless(condition: boolean, message: string, code?: number): asserts condition {
  if (!condition) throw new Rejected(message, code);
}

/** Runs all of them. Where several reject, it is open which of their codes MongoDB gives. */
export function together<T>(steps: readonly (() => T)[]): T[] {
  const results: T[] = [];
  const rejections: Rejected[] = [];
  for (const step of steps) {
    try {
      results.push(step());
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      rejections.push(error);
    }
  }
  const [first] = rejections;
  if (first === undefined) return results;
  const isOneCode = rejections.every(({ code }) => code === first.code);
  throw new Rejected(first.message, isOneCode ? first.code : undefined);
}
