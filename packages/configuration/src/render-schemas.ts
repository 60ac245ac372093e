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
  const declarations = Object.entries(indexes).flatMap(([collection, declared]) =>
    declared.map((index) => ({ collection, line: `  - ${describe(index)}` })),
  );
  const lists = Map.groupBy(
    Map.groupBy(declarations, ({ line }) => line),
    ([, same]) => same.map(({ collection }) => `\`${collection}\``).join(', '),
  );
  return [
    `## ${owner}`,
    '',
    `Database \`${DATABASES[owner]}\`, schema ${version}, readable by releases from schema ${readableFrom}.`,
    '',
    ...[...lists].flatMap(([collections, each]) => [`- ${collections}`, ...each.map(([line]) => line)]),
    '',
  ].join('\n');
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
