import { DATABASE_OWNERS, DATABASES, type DatabaseOwner } from '@tollgate/contracts/platform/databases';
import type { DatabaseSchema, IndexDeclaration } from '@tollgate/store/schema/database-schema';

const INTRODUCTION = `# Indexes of each database

<!-- Generated from the schema of each service: \`npm run generate --workspace packages/configuration\` -->

[\`tollgate migrate\`](upgrade.md#migrate-first) creates these indexes, and [\`tollgate doctor\`](doctor.md) compares them with a database. Do not drop or
change one: without it, a query reads the whole collection, and without a unique index, a repeated request can be processed twice.

A minus marks a descending field. A partial index contains only the documents that its query needs. A TTL index deletes documents this long after the time in
its field. The name of an index follows from its fields, unless the list names it.
`;

/** The page, from the declarations of the services. */
export function renderSchemas(schemas: Readonly<Record<DatabaseOwner, DatabaseSchema>>): string {
  return [INTRODUCTION, ...DATABASE_OWNERS.map((owner) => renderSchema(owner, schemas[owner]))].join('\n');
}

/** Collections with the same indexes share a list, and an index that several lists have is listed once. */
function renderSchema(owner: DatabaseOwner, { version, readableFrom, indexes }: DatabaseSchema): string {
  const collectionsByIndex = new Map<string, string[]>();
  for (const [collection, declared] of Object.entries(indexes))
    for (const index of declared) append(collectionsByIndex, describe(index), collection);
  const indexesByCollections = new Map<string, string[]>();
  for (const [index, collections] of collectionsByIndex)
    append(indexesByCollections, collections.map((name) => `\`${name}\``).join(', '), index);
  const lists = [...indexesByCollections].map(([collections, lines]) =>
    [`- ${collections}`, ...lines.map((line) => `  - ${line}`)].join('\n'),
  );
  return [
    `## ${owner}`,
    '',
    `Database \`${DATABASES[owner]}\`, schema ${version}, readable by releases from schema ${readableFrom}.`,
    '',
    ...lists,
    '',
  ].join('\n');
}

function append(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

function describe({ key, purpose, name, ...options }: IndexDeclaration): string {
  const fields = Object.entries(key).map(([path, direction]) => `${direction === -1 ? '-' : ''}${path}`);
  const kinds = [
    ...(name === undefined ? [] : [`\`${name}\``]),
    ...(options.unique ? ['unique'] : []),
    ...(options.partialFilterExpression ? ['partial'] : []),
    ...(options.expireAfterSeconds === undefined ? [] : [`TTL ${options.expireAfterSeconds} s`]),
  ];
  const kind = kinds.length > 0 ? ` (${kinds.join(', ')})` : '';
  return `\`${fields.join(',')}\`${kind}: ${purpose}`;
}
