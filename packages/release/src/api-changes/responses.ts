import { type Body, type OpenapiDocument, type Operation, resolveReference } from './openapi-document.ts';

export function isSuccess(status: string): boolean {
  return /^[23]/.test(status);
}

export function responsesOf(
  { responses = {} }: Operation,
  document: OpenapiDocument,
  has: (status: string) => boolean,
): Map<string, Body> {
  const entries = Object.entries(responses).filter(([status]) => has(status));
  return new Map(entries.map(([status, response]) => [status, resolveReference<Body>(response, document)]));
}
