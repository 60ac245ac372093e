import { ERRORS, type ErrorCode } from '@tollgate/contracts/platform/errors';
import { createPage, type Page } from '../page.ts';
import type { OpenapiOperation } from './documents.ts';
import { exampleValue } from './example-value.ts';
import { fieldsTable, joined, jsonBlock, table } from './markdown.ts';
import { type SampleOptions, samplesOf } from './samples.ts';

/** An operation of one of the APIs. */
export interface ReferenceOperation {
  /** Path of the page. */
  path: string;
  method: string;
  /** The path, with `{name}` for parameters. */
  url: string;
  operation: OpenapiOperation;
  samples: SampleOptions;
}

/** The page of one operation: what it does, its request, its responses, and its errors. */
export function operationPage(reference: ReferenceOperation): Page {
  const { path, method, url, operation, samples } = reference;
  const { title, remark } = titleOf(operation);
  return createPage(
    path,
    title,
    joined(
      remark,
      operation.description,
      `\`${method.toUpperCase()} ${url}\``,
      isForSessions(operation) && 'Accepts a session only. An API token is rejected.',
      samplesOf(operation, method, url, samples),
      parameters(operation),
      requestBody(operation),
      ...Object.entries(operation.responses)
        .filter(([status]) => Number(status) < 400)
        .map(([status, response]) => responseSection(status, response)),
      errors(operation, path),
    ),
  );
}

/** A summary such as "Create a key; `secret` is returned once" is a title and a remark. */
export function titleOf({ summary }: OpenapiOperation): { title: string; remark: string } {
  const [title = '', ...remarks] = summary.split('; ');
  const remark = remarks.join('; ');
  return { title, remark: remark && `${remark.replace(/^[a-z]/, (letter) => letter.toUpperCase())}.` };
}

function isForSessions({ security }: OpenapiOperation): boolean {
  return security?.length === 1 && 'session' in (security[0] ?? {});
}

function parameters({ parameters = [] }: OpenapiOperation): string {
  if (parameters.length === 0) return '';
  const rows = parameters.map(({ name, in: place, required, description, schema }) => {
    const type = schema.enum
      ? schema.enum.map((value) => JSON.stringify(value)).join(', ')
      : [schema.type ?? 'any'].flat().join(' or ');
    return [`\`${name}\``, place, type, required ? 'yes' : 'no', description ?? schema.description ?? ''];
  });
  return `## Parameters\n\n${table(['Name', 'In', 'Type', 'Required', 'Description'], rows)}`;
}

function requestBody({ requestBody }: OpenapiOperation): string {
  const content = requestBody?.content['application/json'];
  if (!content) return '';
  return joined(
    '## Request body',
    requestBody?.description,
    fieldsTable(content.schema, { isRequest: true }),
  );
}

function responseSection(
  status: string,
  { description, content = {} }: OpenapiOperation['responses'][string],
): string {
  const [[type, body] = []] = Object.entries(content);
  return joined(
    `## ${status} response`,
    description,
    type !== undefined && type !== 'application/json' && `The body is \`${type}\`.`,
    body && type === 'application/json' && jsonBlock(body.example ?? exampleValue(body.schema, false)),
    body?.schema.properties && fieldsTable(body.schema, { isRequest: false }),
  );
}

function errors({ responses }: OpenapiOperation, path: string): string {
  const codes = Object.values(responses).flatMap(
    ({ content }) => Object.keys(content?.['application/problem+json']?.examples ?? {}) as ErrorCode[],
  );
  const up = '../'.repeat(path.split('/').length - 1);
  const rows = codes.map((code) => [
    String(ERRORS[code].status),
    `[\`${code}\`](${up}errors/${code}.md)`,
    ERRORS[code].title,
  ]);
  return rows.length === 0 ? '' : `## Errors\n\n${table(['Status', 'Code', 'Meaning'], rows)}`;
}
