import { integer } from '../bson/document.ts';
import * as types from '../semantics/field-types.ts';
import { measure } from './collection-statistics.ts';
import type { Command } from './command.ts';
import { ok } from './replies.ts';
import { readScale } from './statistics-scale.ts';

/** Reports counts and sizes of the stored documents and index keys of a database. */
export const databaseStatistics: Command = {
  name: 'dbStats',
  aliases: ['dbstats'],
  fields: { scale: types.atLeast(1), freeStorage: types.any },
  run(request, { store }) {
    const { factor, scaled } = readScale(request.body.get('scale'));
    const measures = store
      .collections(request.databaseName)
      .map((collection) => measure(collection, store.budget));
    const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);
    const objects = sum(measures.map(({ documents }) => documents));
    const dataSize = sum(measures.map(({ size }) => size));
    const indexSizes = measures.flatMap((one) => one.indexSizes.map(([, bytes]) => bytes));
    const indexSize = sum(indexSizes);
    return ok({
      db: request.databaseName,
      collections: integer(measures.length),
      views: integer(0),
      objects: integer(objects),
      avgObjSize: integer(objects === 0 ? 0 : Math.floor(dataSize / objects)),
      dataSize: scaled(dataSize),
      storageSize: scaled(dataSize),
      indexes: integer(indexSizes.length),
      indexSize: scaled(indexSize),
      totalSize: scaled(dataSize + indexSize),
      scaleFactor: integer(factor),
    });
  },
};
