import { documentOf, integer } from '../bson/document.ts';
import * as types from '../semantics/field-types.ts';
import { matches, parseFilter } from '../semantics/filter.ts';
import type { Command } from './command.ts';
import { readBoolean, readDocument } from './fields.ts';
import { assertAdmin } from './namespace.ts';
import { ok } from './replies.ts';

const BYTES_PER_MIB = 1024 * 1024;

/** All databases share one file: `sizeOnDisk` is the size of the file divided by the number of databases. */
export const listDatabases: Command = {
  name: 'listDatabases',
  fields: { filter: types.object, nameOnly: types.safeBoolean, authorizedDatabases: types.boolean },
  run(request, { store }) {
    assertAdmin(request);
    const filter = parseFilter(readDocument(request, 'filter') ?? new Map());
    const nameOnly = readBoolean(request, 'nameOnly');
    const names = store.databaseNames();
    const size = Math.round(store.sizeOnDisk() / Math.max(1, names.length));
    const databases = names
      .map((name) => documentOf({ name, sizeOnDisk: integer(size), empty: false }))
      .filter((database) => matches(filter, database));
    if (nameOnly)
      return ok({ databases: databases.map((database) => documentOf({ name: database.get('name') ?? '' })) });
    const totalSize = size * databases.length;
    return ok({
      databases,
      totalSize: integer(totalSize),
      totalSizeMb: integer(Math.floor(totalSize / BYTES_PER_MIB)),
    });
  },
};
