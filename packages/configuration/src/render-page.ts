import type { VariableTable } from '@tollgate/runtime/config';
import { fileVariable } from '@tollgate/runtime/secret-file';
import { formatDefault } from './format-default.ts';

const INTRODUCTION = `# Configuration

Each process reads environment variables, once, at its start. If one is missing or wrong, the process logs everything that is wrong and
exits. An empty variable counts as absent.

- **Secrets can be in files.** A variable with a \`_FILE\` beside its name can contain a secret. Set \`NAME\` to the secret, or \`NAME_FILE\` to the
  path of a file with it. The space around the secret is not part of it. A process reads the file at its start: restart it after a change.
- **A duration** is a number and a unit: \`500ms\`, \`5s\`, \`15m\`, \`24h\`, \`7d\`.
- **A misspelt variable** changes nothing. At its start, each process logs a warning about variables that look like its own and that nothing
  reads.
- **Keys have versions**: \`2:<key>,1:<key>\`. [Secrets](../security.md#secrets) describes what each is for, and how to rotate it.

In containers, \`print-env.ts\` generates the secrets, and [docker-compose.yml](../../docker-compose.yml) gives each process its own.
`;

interface Row {
  name: string;
  value: string;
  default: string;
  description: string;
}

/** The page, from the variables of each process. @throws for a variable without a description */
export function renderPage(tables: Readonly<Record<string, VariableTable>>): string {
  const processes = Object.entries(tables).map(([title, table]) => ({ title, rows: rowsOf(table) }));
  const readers = (row: Row) =>
    processes.filter(({ rows }) => rows.some((other) => isSame(row, other))).map(({ title }) => title);
  const isShared = (row: Row) => readers(row).length > 1;

  const shared = new Map(
    processes.flatMap(({ rows }) => rows.filter(isShared).map((row) => [JSON.stringify(row), row])),
  );
  const sections = processes.map(({ title, rows }) =>
    [
      `## ${title}`,
      table(
        ['variable', 'value', 'default', ''],
        rows.filter((row) => !isShared(row)).map((row) => [...cells(row), row.description]),
      ),
      ...sharedNames(rows.filter(isShared)),
    ].join('\n\n'),
  );
  return `${[
    INTRODUCTION.trim(),
    '## Several processes',
    table(
      ['variable', 'value', 'default', 'read by', ''],
      [...shared.values()].map((row) => [...cells(row), readers(row).join(', '), row.description]),
    ),
    ...sections,
  ].join('\n\n')}\n`;
}

/** Variables that are read in two forms have one row. */
function rowsOf(table: VariableTable): Row[] {
  const rows = new Map<string, Row>();
  for (const variable of Object.values(table)) {
    const { name, description, type, isSecret } = variable;
    if (description === undefined || type === undefined) continue;
    rows.set(name, {
      name: isSecret ? `\`${name}\`, \`${fileVariable(name)}\`` : `\`${name}\``,
      value: type,
      default: formatDefault(variable),
      description,
    });
  }
  const missing = Object.values(table).find(({ name }) => !rows.has(name));
  if (missing) throw new Error(`The variable ${missing.name} has no description or no type.`);
  return [...rows.values()];
}

function isSame(row: Row, other: Row): boolean {
  return JSON.stringify(row) === JSON.stringify(other);
}

function cells(row: Row): string[] {
  return [row.name, row.value, row.default];
}

function sharedNames(rows: Row[]): string[] {
  if (rows.length === 0) return [];
  return [
    `[As other processes](#several-processes): ${rows.map(({ name }) => name.split(', ')[0]).join(', ')}.`,
  ];
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`.replaceAll('|  |', '| |');
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}
