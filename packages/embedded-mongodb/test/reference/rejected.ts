/** MongoDB rejects the operation. The code is known only if MongoDB documents it. */
export class Rejected extends Error {
  readonly code: number | undefined;

  constructor(message: string, code?: number) {
    super(message);
    this.name = 'Rejected';
    this.code = code;
  }
}

/** MongoDB does not determine the result, for example because it depends on the order of reads. */
export class Undetermined extends Error {
  override name = 'Undetermined';
}

export function rejectUnless(condition: boolean, message: string, code?: number): asserts condition {
  if (!condition) throw new Rejected(message, code);
}

/** Runs all steps. If several reject with different codes, the code is undetermined. */
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
