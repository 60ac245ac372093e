import { DATABASE_OWNERS, DATABASES, type DatabaseOwner } from '@tollgate/contracts/databases';
import {
  type DatabaseSchema,
  type IndexDeclaration,
  indexName,
} from '@tollgate/store/schema/database-schema';

const INTRODUCTION = `# Indexes of each database

Each service declares the indexes that its queries need. [\`tollgate migrate\`](upgrade.md#migrate-first) creates them, and
[\`tollgate doctor\`](doctor.md) compares them with a database. Do not drop these indexes, or change their options: without its index, a query reads the whole
collection, and without a unique index, a repeated request can be processed twice.

"Only" is the filter of a partial index, which contains few documents. An index that deletes documents after a time is a TTL index.
`;

/** The page, from the declarations of the services. */
export function renderSchemas(schemas: Readonly<Record<DatabaseOwner, DatabaseSchema>>): string {
  return [INTRODUCTION, ...DATABASE_OWNERS.map((owner) => renderSchema(owner, schemas[owner]))].join('\n');
}

function renderSchema(owner: DatabaseOwner, { version, readableFrom, indexes }: DatabaseSchema): string {
  const rows = Object.entries(indexes).flatMap(([collection, declared]) =>
    declared.map(
      (index) => `| \`${collection}\` | \`${indexName(index)}\` | ${describeKey(index)} | ${index.purpose} |`,
    ),
  );
  return [
    `## ${owner}`,
    '',
    `Database \`${DATABASES[owner]}\`, schema ${version}, readable by releases from schema ${readableFrom}.`,
    '',
    '| collection | index | fields | needed by |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function describeKey(index: IndexDeclaration): string {
  const fields = Object.entries(index.key).map(
    ([path, direction]) => `${direction === -1 ? '-' : ''}${path}`,
  );
  const { unique, expireAfterSeconds, partialFilterExpression: filter } = index;
  return [
    `\`${fields.join(', ')}\``,
    ...(unique ? ['unique'] : []),
    ...(expireAfterSeconds === undefined ? [] : [`deletes after ${expireAfterSeconds} s`]),
    ...(filter === undefined ? [] : [`only \`${JSON.stringify(filter).replaceAll('|', '\\|')}\``]),
  ].join('; ');
}
