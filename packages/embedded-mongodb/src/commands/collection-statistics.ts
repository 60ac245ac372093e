import { type BsonValue, documentOf, integer } from '../bson/document.ts';
import type { Collection } from '../storage/collection.ts';
import type { ReadBudget } from '../storage/read-budget.ts';
import { readScale } from './statistics-scale.ts';

/** The cost per document of summing the sizes of documents and keys, as bytes read. */
const BYTES_PER_DOCUMENT = 1024;

/** Counts and sizes of the stored documents and index keys of a collection; zeros if the collection does not exist. */
export function statisticsOf(
  collection: Collection | undefined,
  scale: BsonValue | undefined,
  budget: ReadBudget,
): Record<string, BsonValue> {
  const { factor, scaled } = readScale(scale);
  const { documents, size, indexSizes } = measure(collection, budget);
  const totalIndexSize = indexSizes.reduce((sum, [, bytes]) => sum + bytes, 0);
  return {
    size: scaled(size),
    count: integer(documents),
    ...(documents === 0 ? {} : { avgObjSize: integer(Math.floor(size / documents)) }),
    numOrphanDocs: integer(0),
    storageSize: scaled(size),
    freeStorageSize: integer(0),
    capped: false,
    nindexes: integer(indexSizes.length),
    indexBuilds: [],
    totalIndexSize: scaled(totalIndexSize),
    totalSize: scaled(size + totalIndexSize),
    indexSizes: new Map(indexSizes.map(([name, bytes]) => [name, scaled(bytes)])),
    indexDetails: documentOf({}),
    scaleFactor: integer(factor),
  };
}

interface Measures {
  documents: number;
  /** Bytes of all documents. */
  size: number;
  indexSizes: [name: string, bytes: number][];
}

/** @throws LongRead if measuring the collection would block the writing thread for too long */
export function measure(collection: Collection | undefined, budget: ReadBudget): Measures {
  if (collection === undefined) return { documents: 0, size: 0, indexSizes: [] };
  const documents = collection.count();
  budget.spend(documents * BYTES_PER_DOCUMENT);
  return {
    documents,
    size: collection.dataSize(),
    indexSizes: collection.indexes.map((index) => [index.definition.name, index.keySize()]),
  };
}
