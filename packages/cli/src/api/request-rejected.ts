import type { AdminProblem } from '@tollgate/admin-client/admin-problem';
import { ERRORS } from '@tollgate/contracts/platform/errors';
import { NegativeResult } from '../command.ts';
import { visible } from '../visible.ts';

/** The API responded with an error. The message says what happened and what to do. */
export class RequestRejected extends NegativeResult {
  readonly status: number;
  readonly problem: AdminProblem;

  constructor(status: number, problem: AdminProblem) {
    super(describe(status, problem));
    this.status = status;
    this.problem = problem;
  }
}

function describe(status: number, { title, detail, code, errors, requestId, type }: AdminProblem): string {
  const lines =
    title === null
      ? [`The server returned an invalid response (${status}).`]
      : [
          `${title} (${status}, ${code}).`,
          detail,
          ...errors.map((wrong) => `  ${wrong.pointer ?? wrong.parameter ?? wrong.header}: ${wrong.detail}`),
          // A later release may have other codes.
          ...(Object.hasOwn(ERRORS, code) ? [ERRORS[code].remedy] : []),
        ];
  if (requestId !== null) lines.push(`Request: ${requestId}`);
  if (type?.startsWith('http')) lines.push(`Documentation: ${type}`);
  return lines.map(visible).join('\n');
}
