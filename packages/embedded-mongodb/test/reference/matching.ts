import type { Document } from '../../src/bson/document.ts';
import { parseFilter } from './filter.ts';
import { Rejected, Undetermined } from './rejected.ts';

/**
 * The documents that match. Whether an error of `$expr` occurs depends on the other conditions, which may exclude the
 * document first, and on whether MongoDB stops before it reads the document.
 */
export function matching(documents: readonly Document[], filter: Document, stopsEarly = false): Document[] {
  const test = parseFilter(filter);
  try {
    return documents.filter(test);
  } catch (error) {
    const isOnlyExpression = [...filter.keys()].every((name) => name === '$expr');
    const isCertain = isOnlyExpression && !(stopsEarly && documents.length > 1);
    if (error instanceof Rejected && !isCertain) throw new Undetermined('an error that may not come up');
    // MongoDB may reject the command because of another document or the sort instead.
    if (error instanceof Rejected) throw new Rejected(error.message);
    throw error;
  }
}
