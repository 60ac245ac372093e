import type { CompareSchemas } from './compare-schemas.ts';
import type { Difference } from './difference.ts';
import type { OpenapiDocument, Operation } from './openapi-document.ts';

/** An operation in both documents, and what its parts need to be compared. */
export interface OperationPair {
  name: string;
  released: Operation;
  current: Operation;
  documents: { released: OpenapiDocument; current: OpenapiDocument };
  report: (difference: Difference) => void;
  compareSchemas: CompareSchemas;
}
