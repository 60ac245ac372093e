import type { Document } from '../../src/bson/document.ts';
import { parseFilter } from './filter.ts';
import { Rejected, Undetermined } from './rejected.ts';

/**
 * Documents that match. Whether an error of `$expr` comes up depends on what else excludes its documents, and on
 * whether MongoDB stops before it comes to them.
 */
export function matching(documents: readonly Document[], filter: Document, stopsEarly = false): Document[] {
  const test = parseFilter(filter);
  try {
    return documents.filter(test);
  } catch (error) {
    const isOnlyExpression = [...filter.keys()].every((name) => name === '$expr');
    const isCertain = isOnlyExpression && !(stopsEarly && documents.length > 1);
    if (error instanceof Rejected && !isCertain) throw new Undetermined('an error that may not come up');
    // Another document, or the sort, may be what MongoDB rejects the command for.
    if (error instanceof Rejected) throw new Rejected(error.message);
    throw error;
  }
}
