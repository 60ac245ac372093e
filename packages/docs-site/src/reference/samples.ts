import type { OpenapiOperation } from './documents.ts';
import { exampleValue } from './example-value.ts';
import { codeBlock } from './markdown.ts';

/** A request that the samples send. */
interface SampleRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: unknown;
}

/** What the samples read the credential from. */
export interface SampleOptions {
  baseUrl: string;
  /** Variable of the environment; null if the operation takes no credential. */
  credential: string | null;
}

/** The operation as curl, TypeScript, and Python: with an SDK if it has a method for it. */
export function samplesOf(
  operation: OpenapiOperation,
  method: string,
  path: string,
  options: SampleOptions,
): string {
  const request = sampleRequest(operation, method, path, options);
  const sdk = SDK_CALLS[operation.operationId];
  const tabs = [
    ['sh [curl]', curl(request)],
    ['ts [TypeScript]', sdk ? typescriptSdk(sdk, request, options) : typescriptFetch(request)],
    ['python [Python]', sdk ? pythonSdk(sdk, request, options) : pythonUrllib(request)],
  ] as const;
  return `::: code-group\n\n${tabs.map(([tab, code]) => codeBlock(tab, code)).join('\n\n')}\n\n:::`;
}

const SDK_PACKAGE = '@tollgate/sdk';

/** The arguments of the methods of both SDKs. */
const SDK_CALLS: Record<string, { method: string; takesId: boolean }> = {
  createPayment: { method: 'create', takesId: false },
  readPayment: { method: 'retrieve', takesId: true },
  cancelPayment: { method: 'cancel', takesId: true },
};
type SdkCall = (typeof SDK_CALLS)[string];

function sampleRequest(
  { parameters = [], requestBody }: OpenapiOperation,
  method: string,
  path: string,
  { baseUrl, credential }: SampleOptions,
): SampleRequest {
  const shown = parameters.map((parameter) => ({
    ...parameter,
    value: String(parameter.example ?? exampleValue(parameter.schema, true, parameter.name)),
  }));
  const content = requestBody?.content['application/json'];
  const query = shown.filter(({ in: place, required }) => place === 'query' && required);
  return {
    method: method.toUpperCase(),
    url:
      baseUrl +
      path.replaceAll(/\{(\w+)\}/g, (_, name) => shown.find((each) => each.name === name)?.value ?? '') +
      (query.length > 0 ? `?${new URLSearchParams(query.map(({ name, value }) => [name, value]))}` : ''),
    headers: {
      ...(credential && { Authorization: `Bearer $${credential}` }),
      ...Object.fromEntries(
        shown
          .filter(
            ({ in: place, required, name }) => place === 'header' && (required || name === 'Idempotency-Key'),
          )
          .map(({ name, value }) => [name, value]),
      ),
      ...(content && { 'Content-Type': 'application/json' }),
    },
    body: content ? (content.example ?? exampleValue(content.schema, true)) : undefined,
  };
}

function curl({ method, url, headers, body }: SampleRequest): string {
  const isImplied = method === (body === undefined ? 'GET' : 'POST');
  return [
    `curl ${isImplied ? '' : `-X ${method} `}'${url}'`,
    ...Object.entries(headers).map(([name, value]) => `-H "${name}: ${value}"`),
    ...(body === undefined ? [] : [`-d '${shellJson(body)}'`]),
  ].join(' \\\n  ');
}

/** On one line if it is short. No value contains an apostrophe. */
function shellJson(body: unknown): string {
  const line = JSON.stringify(body);
  return line.length <= MAX_LINE_LENGTH ? line : JSON.stringify(body, null, 2).replaceAll('\n', '\n  ');
}

function typescriptSdk({ method, takesId }: SdkCall, request: SampleRequest, options: SampleOptions): string {
  const { id, key } = sdkArguments(request);
  const args = [
    ...(takesId ? [`'${id}'`] : []),
    ...(request.body === undefined ? [] : [literal(request.body, TYPESCRIPT)]),
    ...(key === undefined ? [] : [`{ idempotencyKey: '${key}' }`]),
  ];
  return `import { Tollgate } from '${SDK_PACKAGE}';

const tollgate = new Tollgate({ apiKey: process.env.${options.credential}!, baseUrl: '${options.baseUrl}' });
const payment = await tollgate.payments.${method}(${argumentList(args, 2)});
console.log(payment.id, payment.status);`;
}

function pythonSdk({ method, takesId }: SdkCall, request: SampleRequest, options: SampleOptions): string {
  const { id, key } = sdkArguments(request);
  const args = [
    ...(takesId ? [`"${id}"`] : []),
    ...(request.body === undefined ? [] : [literal(request.body, PYTHON)]),
    ...(key === undefined ? [] : [`idempotency_key="${key}"`]),
  ];
  return `import os

from tollgate import Tollgate

tollgate = Tollgate(api_key=os.environ["${options.credential}"], base_url="${options.baseUrl}")
payment = tollgate.payments.${method}(${argumentList(args, 4)})
print(payment["id"], payment["status"])`;
}

function sdkArguments({ url, headers }: SampleRequest): { id: string; key: string | undefined } {
  return { id: /pay_\w+/.exec(url)?.[0] ?? '', key: headers['Idempotency-Key'] };
}

/** The arguments on one line if they are short, otherwise one per line. */
function argumentList(args: readonly string[], indent: number): string {
  if (args.join('').length < 60 && !args.some((text) => text.includes('\n'))) return args.join(', ');
  const margin = ' '.repeat(indent);
  return `\n${args.map((text) => `${margin}${text.replaceAll('\n', `\n${margin}`)},`).join('\n')}\n`;
}

function typescriptFetch({ method, url, headers, body }: SampleRequest): string {
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}',`]),
    `headers: ${literal(headers, TYPESCRIPT)},`,
    ...(body === undefined ? [] : [`body: JSON.stringify(${literal(body, TYPESCRIPT)}),`]),
  ];
  return `const response = await fetch('${url}', {
${options.map((line) => `  ${line.replaceAll('\n', '\n  ')}`).join('\n')}
});
console.log(response.status, await response.text());`;
}

function pythonUrllib({ method, url, headers, body }: SampleRequest): string {
  const options = [
    `"${url}",`,
    `method="${method}",`,
    `headers=${literal(headers, PYTHON)},`,
    ...(body === undefined ? [] : [`data=json.dumps(${literal(body, PYTHON)}).encode(),`]),
  ];
  return `${body === undefined ? '' : 'import json\n'}import os
from urllib.request import Request, urlopen

request = Request(
${options.map((line) => `    ${line.replaceAll('\n', '\n    ')}`).join('\n')}
)
with urlopen(request) as response:
    print(response.status, response.read().decode())`;
}

/** How a language writes values. */
interface Notation {
  indent: string;
  quote: string;
  words: Record<'true' | 'false' | 'null', string>;
  name(key: string): string;
  variable(before: string, name: string): string;
}

const TYPESCRIPT: Notation = {
  indent: '  ',
  quote: "'",
  words: { true: 'true', false: 'false', null: 'null' },
  name: (key) => (/^\w+$/.test(key) ? key : `'${key}'`),
  variable: (before, name) => `\`${before}\${process.env.${name}}\``,
};

const PYTHON: Notation = {
  indent: '    ',
  quote: '"',
  words: { true: 'True', false: 'False', null: 'None' },
  name: (key) => `"${key}"`,
  variable: (before, name) => `f"${before}{os.environ['${name}']}"`,
};

const MAX_LINE_LENGTH = 70;

function literal(value: unknown, notation: Notation): string {
  if (value === null || typeof value === 'boolean') return notation.words[`${value}`];
  if (typeof value === 'string') return textLiteral(value, notation);
  if (typeof value !== 'object') return String(value);
  const entries = Array.isArray(value)
    ? value.map((each) => literal(each, notation))
    : Object.entries(value).map(([key, each]) => `${notation.name(key)}: ${literal(each, notation)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const space = Array.isArray(value) || notation === PYTHON || entries.length === 0 ? '' : ' ';
  const line = `${open}${space}${entries.join(', ')}${space}${close}`;
  if (line.length <= MAX_LINE_LENGTH && !line.includes('\n')) return line;
  const { indent } = notation;
  return `${open}\n${entries.map((entry) => `${indent}${entry.replaceAll('\n', `\n${indent}`)},`).join('\n')}\n${close}`;
}

function textLiteral(text: string, { quote, variable }: Notation): string {
  const [, before, name] = /^(.*)\$([A-Z_]+)$/.exec(text) ?? [];
  if (before !== undefined && name !== undefined) return variable(before, name);
  return `${quote}${text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`)}${quote}`;
}
