import { fieldRows } from '@tollgate/contracts/platform/schema-fields';
import type { Schema } from './documents.ts';

export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeCell).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

export function codeBlock(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\``;
}

export function jsonBlock(value: unknown): string {
  return codeBlock('json', JSON.stringify(value, null, 2));
}

/** The fields of an object, one row each. */
export function fieldsTable(schema: Schema, { isRequest }: { isRequest: boolean }): string {
  const rows = fieldRows(schema).map(({ name, type, required, description }) => [
    `\`${name}\``,
    type,
    ...(isRequest ? [required ? 'yes' : 'no'] : []),
    description,
  ]);
  return table(['Field', 'Type', ...(isRequest ? ['Required'] : []), 'Description'], rows);
}

/** Paragraphs, without the empty ones. */
export function joined(...blocks: (string | false | undefined)[]): string {
  return blocks.filter(Boolean).join('\n\n');
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
