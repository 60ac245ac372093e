import {
  type OpenapiDocument,
  type Operation,
  type Parameter,
  resolveReference,
} from './openapi-document.ts';
import type { OperationPair } from './operation-pair.ts';

export function compareParameters({ name, report, compareSchemas, ...pair }: OperationPair): void {
  const before = parametersOf(pair.released, pair.documents.released);
  const after = parametersOf(pair.current, pair.documents.current);
  for (const [key, parameter] of after) {
    const kind = `${parameter.in} parameter`;
    const text = `\`${name}\` ${kind} \`${parameter.name}\``;
    const old = before.get(key);
    if (!old) {
      report({ sentence: `${text}: added`, impact: parameter.required ? 'breaking' : 'compatible' });
      continue;
    }
    if (parameter.required && !old.required) report({ sentence: `${text}: required`, impact: 'breaking' });
    if (!parameter.required && old.required) report({ sentence: `${text}: optional`, impact: 'compatible' });
    if (parameter.deprecated && !old.deprecated)
      report({ sentence: `${text}: deprecated`, impact: 'compatible' });
    const place = { direction: 'request', owner: name, kind, path: parameter.name } as const;
    compareSchemas(old.schema ?? {}, parameter.schema ?? {}, place);
  }
  for (const [key, parameter] of before) {
    if (after.has(key)) continue;
    const text = `\`${name}\` ${parameter.in} parameter \`${parameter.name}\``;
    report({ sentence: `${text}: removed`, impact: 'breaking' });
  }
}

function parametersOf({ parameters = [] }: Operation, document: OpenapiDocument): Map<string, Parameter> {
  const resolved = parameters.map((parameter) => resolveReference<Parameter>(parameter, document));
  return new Map(resolved.map((parameter) => [`${parameter.in} ${parameter.name}`.toLowerCase(), parameter]));
}
