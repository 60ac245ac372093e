import { type OpenapiDocument, type Operation, resolveReference } from './openapi-document.ts';
import type { OperationPair } from './operation-pair.ts';
import { isSuccess, responsesOf } from './responses.ts';

/** Clients branch on `code`. The codes of an operation are those of the examples of its problem responses. */
export function compareErrors({ name, report, released, current, documents }: OperationPair): void {
  const before = errorsOf(released, documents.released);
  const after = errorsOf(current, documents.current);
  const text = (code: string) => `\`${name}\` error \`${code}\``;
  for (const [code, status] of after) {
    const old = before.get(code);
    if (old === undefined) report({ sentence: `${text(code)}: added`, impact: 'compatible' });
    else if (old !== status)
      report({
        sentence: `${text(code)} status: changed`,
        impact: 'breaking',
        note: `From ${old} to ${status}.`,
      });
  }
  // A client that handles the code has a branch that is never taken.
  for (const code of before.keys())
    if (!after.has(code)) report({ sentence: `${text(code)}: removed`, impact: 'compatible' });
}

function errorsOf(operation: Operation, document: OpenapiDocument): Map<string, string> {
  const errors = new Map<string, string>();
  for (const [status, { content = {} }] of responsesOf(operation, document, (status) => !isSuccess(status))) {
    for (const { example, examples = {} } of Object.values(content)) {
      const values = Object.values(examples).map(
        (named) => resolveReference<{ value?: unknown }>(named, document).value,
      );
      for (const value of [example, ...values]) {
        const code = (value as { code?: unknown } | undefined)?.code;
        if (typeof code === 'string') errors.set(code, status);
      }
    }
  }
  return errors;
}
