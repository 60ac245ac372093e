import { DATABASE_OWNERS } from '@tollgate/contracts/platform/databases';
import type { VariableTable } from '@tollgate/runtime/config';
import { formatDefault } from './format-default.ts';
import { ROLES } from './roles.ts';

const INTRODUCTION = `# Configuration

<!-- Generated from the \`config.ts\` of each process: \`npm run generate --workspace packages/configuration\` -->

Each process reads environment variables, once, at its start. If one is missing or wrong, the process logs everything that is wrong and
exits. An empty variable counts as absent.

- **Secrets can be in files**, where a name ends with \`[_FILE]\`: set \`NAME\` to the secret, or \`NAME_FILE\` to the path of a file with it.
- **Keys have versions**: \`2:<base64>,1:<base64>\`. The first key signs or encrypts, and every key verifies or decrypts. [Rotate keys](rotate-keys.md) says
  how to replace them.
- **A list** is separated by commas. **A duration** is a number and a unit: \`500ms\`, \`5s\`, \`15m\`, \`24h\`, \`7d\`.
- **A misspelled variable** changes nothing. At its start, each process logs a warning about variables that look like its own and that nothing
  reads.

In containers, \`print-env.ts\` generates the secrets, and [docker-compose.yml](../../docker-compose.yml) gives each process its own.

In parentheses are the value and the default. A variable of several processes is listed once, under their names.
`;

interface Row {
  name: string;
  value: string;
  default: string;
  description: string;
}

/** The page, from the variables of each process. @throws for a variable without a description */
export function renderPage(tables: Readonly<Record<string, VariableTable>>): string {
  const reads = Object.entries(tables).flatMap(([title, table]) =>
    rowsOf(table).map((row) => ({ title, row })),
  );
  const readsOfEach = [...Map.groupBy(reads, ({ row }) => JSON.stringify(row)).values()];
  const sections = Map.groupBy(
    readsOfEach.sort((a, b) => b.length - a.length),
    (same) => nameOf(same.map(({ title }) => title)),
  );
  const texts = [...sections].map(([title, each]) =>
    renderSection(
      title,
      each.flatMap(([first]) => first?.row ?? []),
    ),
  );
  return [INTRODUCTION, ...texts].join('\n');
}

/** The names of the readers in short, such as "every service, gateway". */
function nameOf(titles: readonly string[]): string {
  const groups: [string, readonly string[]][] = [
    ['every process', Object.keys(ROLES)],
    ['every service', DATABASE_OWNERS],
  ];
  const [group, members] = groups.find(([, members]) => members.every((name) => titles.includes(name))) ?? [];
  const others = titles.filter((title) => !members?.includes(title));
  return [...(group === undefined ? [] : [group]), ...others].join(', ');
}

/** Variables that are read in two forms have one row. */
function rowsOf(table: VariableTable): Row[] {
  const rows = new Map<string, Row>();
  for (const variable of Object.values(table)) {
    const { name, description, type, isSecret } = variable;
    if (description === undefined || type === undefined) continue;
    rows.set(name, {
      name: isSecret ? `\`${name}[_FILE]\`` : `\`${name}\``,
      value: type,
      default: formatDefault(variable),
      description,
    });
  }
  const missing = Object.values(table).find(({ name }) => !rows.has(name));
  if (missing) throw new Error(`The variable ${missing.name} has no description or no type.`);
  return [...rows.values()];
}

/** Variables that differ only in their names share a line. */
function renderSection(title: string, rows: readonly Row[]): string {
  const lines = Map.groupBy(
    rows,
    ({ value, default: fallback, description }) => `(${value}; ${fallback}): ${description}`,
  );
  const items = [...lines].map(([text, same]) => `- ${same.map(({ name }) => name).join(', ')} ${text}`);
  return [`## ${title}`, '', ...items, ''].join('\n');
}
