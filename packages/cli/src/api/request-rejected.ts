import { ERRORS } from '@tollgate/contracts/platform/errors';
import { NegativeResult } from '../command.ts';
import { visible } from '../visible.ts';

/** `application/problem+json`, as far as it is shown. Everything may be missing: a proxy may have responded. */
export interface ResponseProblem {
  title?: string;
  detail?: string;
  code?: string;
  request_id?: string;
  type?: string;
  errors?: { pointer?: string; parameter?: string; header?: string; detail?: string }[];
}

/** The API responded with an error. The message says what happened and what to do. */
export class RequestRejected extends NegativeResult {
  readonly status: number;
  readonly problem: ResponseProblem;

  constructor(status: number, problem: ResponseProblem) {
    super(describe(status, problem));
    this.status = status;
    this.problem = problem;
  }
}

function describe(status: number, problem: ResponseProblem): string {
  const {
    title = 'The server responded with an error',
    detail,
    code,
    errors = [],
    request_id,
    type,
  } = problem;
  const remedy =
    code !== undefined && Object.hasOwn(ERRORS, code) && ERRORS[code as keyof typeof ERRORS].remedy;
  const fields = errors.map(
    ({ pointer, parameter, header, detail: wrong = '' }) => `  ${pointer ?? parameter ?? header}: ${wrong}`,
  );
  const lines = [
    `${title} (${status}${code === undefined ? '' : `, ${code}`}).`,
    detail,
    ...fields,
    remedy || undefined,
  ];
  if (request_id !== undefined) lines.push(`Request: ${request_id}`);
  if (type?.startsWith('http')) lines.push(`Documentation: ${type}`);
  return lines
    .filter((line) => line !== undefined)
    .map(visible)
    .join('\n');
}
