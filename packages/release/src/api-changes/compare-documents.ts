import { compareBodies } from './compare-bodies.ts';
import { compareErrors } from './compare-errors.ts';
import { compareParameters } from './compare-parameters.ts';
import { createSchemaComparison } from './compare-schemas.ts';
import type { Difference } from './difference.ts';
import {
  type JsonSchema,
  type OpenapiDocument,
  type Operation,
  type PathItem,
  resolveReference,
} from './openapi-document.ts';
import type { OperationPair } from './operation-pair.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Everything in which a client may notice that it talks to the current API instead of the released one. */
export function compareDocuments(released: OpenapiDocument, current: OpenapiDocument): Difference[] {
  const differences = new Map<string, Difference>();
  const report = (difference: Difference) => {
    const known = differences.get(difference.sentence);
    // One schema may be compared in several operations. The strictest judgement counts.
    if (!known || known.impact === 'compatible') differences.set(difference.sentence, difference);
  };
  const documents = { released, current };
  const compareSchemas = createSchemaComparison(documents, report);

  const [before, after] = [operationsOf(released), operationsOf(current)];
  for (const [name, operation] of after) {
    const old = before.get(name);
    if (!old) report({ sentence: `\`${name}\`: added`, impact: 'compatible' });
    else {
      const pair = { name, released: old, current: operation, documents, report, compareSchemas };
      compareOperation(pair);
      compareParameters(pair);
      compareBodies(pair);
      compareErrors(pair);
    }
  }
  for (const name of before.keys())
    if (!after.has(name)) report({ sentence: `\`${name}\`: removed`, impact: 'breaking' });

  const [oldProblem, problem] = [released, current].map(problemSchema);
  const place = { direction: 'response', owner: 'Problem', kind: 'response', path: '' } as const;
  if (oldProblem && problem) compareSchemas(oldProblem, problem, place);
  return [...differences.values()];
}

/** The schema of all problems, without their codes, which are compared for each operation. */
function problemSchema({ components }: OpenapiDocument): JsonSchema | undefined {
  const problem = components?.['schemas']?.['Problem'] as JsonSchema | undefined;
  if (!problem) return undefined;
  const { code: _, ...properties } = (problem['properties'] ?? {}) as Record<string, unknown>;
  return { ...problem, properties };
}

function operationsOf(document: OpenapiDocument): Map<string, Operation> {
  const methodsOf = (item: PathItem) => METHODS.filter((method) => method in item);
  const operations = new Map<string, Operation>();
  for (const [path, item] of Object.entries(document.paths ?? {}))
    for (const method of methodsOf(item))
      operations.set(`${method.toUpperCase()} ${path}`, item[method] as Operation);
  for (const [type, item] of Object.entries(document.webhooks ?? {}))
    for (const method of methodsOf(item)) operations.set(`webhook ${type}`, item[method] as Operation);
  return operations;
}

function compareOperation({ name, released, current, documents, report }: OperationPair): void {
  if (released.operationId !== current.operationId) {
    // Generated clients name their methods after it.
    const note = `From \`${released.operationId}\` to \`${current.operationId}\`.`;
    report({ sentence: `\`${name}\` operation id: changed`, impact: 'breaking', note });
  }
  if (current.deprecated === true && released.deprecated !== true)
    report({ sentence: `\`${name}\`: deprecated`, impact: 'compatible' });
  // Endpoints verify a signature instead.
  if (name.startsWith('webhook ')) return;
  const before = credentials(released, documents.released);
  const after = credentials(current, documents.current);
  const text = (credential: string) => `\`${name}\` credential \`${credential}\``;
  for (const credential of after.difference(before))
    report({ sentence: `${text(credential)}: added`, impact: 'compatible' });
  for (const credential of before.difference(after))
    report({ sentence: `${text(credential)}: removed`, impact: 'breaking' });
}

/** The alternatives by what is sent, not by the names that the document gives them. */
function credentials({ security }: Operation, document: OpenapiDocument): Set<string> {
  const requirements = security ?? document.security ?? [];
  if (requirements.length === 0) return new Set(['none']);
  return new Set(
    requirements.map((requirement) => {
      const schemes = Object.keys(requirement).map((key) => {
        const definition = document.components?.['securitySchemes']?.[key];
        const { type, scheme, name } = resolveReference<Record<string, string>>(definition, document) ?? {};
        return [type, scheme ?? name].filter(Boolean).join(' ');
      });
      return schemes.length === 0 ? 'none' : schemes.sort().join(' and ');
    }),
  );
}
