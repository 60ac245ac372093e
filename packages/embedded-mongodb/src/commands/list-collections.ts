import { Binary, type Document, documentOf, encode } from '../bson/document.ts';
import * as types from '../semantics/field-types.ts';
import { matches, parseFilter } from '../semantics/filter.ts';
import type { Collection } from '../storage/collection.ts';
import type { Command } from './command.ts';
import { readCursorBatchSize } from './cursor-option.ts';
import { readBoolean, readDocument } from './fields.ts';

export const listCollections: Command = {
  name: 'listCollections',
  fields: {
    filter: types.object,
    nameOnly: types.boolean,
    authorizedCollections: types.boolean,
    cursor: types.cursorOptions,
  },
  run(request, { store, cursors }) {
    const filter = parseFilter(readDocument(request, 'filter') ?? new Map());
    const nameOnly = readBoolean(request, 'nameOnly');
    const described = store
      .collections(request.databaseName)
      .map(describe)
      .filter((description) => matches(filter, description))
      .map((description) =>
        nameOnly ? documentOf({ name: description.get('name') ?? '', type: 'collection' }) : description,
      );
    return cursors.open({
      namespace: `${request.databaseName}.$cmd.listCollections`,
      documents: described.map((description) => encode(description)).values(),
      batchSize: readCursorBatchSize(request),
    });
  },
};

function describe({ name, uuid, indexes }: Collection): Document {
  const idIndex = indexes[0]?.definition.specification ?? new Map();
  return documentOf({
    name,
    type: 'collection',
    options: documentOf({}),
    info: documentOf({ readOnly: false, uuid: new Binary(uuid, Binary.SUBTYPE_UUID) }),
    idIndex,
  });
}
