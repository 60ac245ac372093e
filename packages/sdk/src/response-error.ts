import {
  AuthenticationError,
  ConflictError,
  type ErrorDetails,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
  type TollgateError,
  UnexpectedResponseError,
} from './errors.ts';
import type { Problem } from './problem.ts';

/** The code of every response that is not in the format of the API. */
const UNEXPECTED_RESPONSE = 'unexpected-response';

const CLASSES: Record<number, new (message: string, details: ErrorDetails) => TollgateError> = {
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  408: TimeoutError,
  409: ConflictError,
  429: RateLimitError,
};

/** The error for a response with this status. */
export function responseError(
  status: number,
  problem: Problem | undefined,
  details: Omit<ErrorDetails, 'code'>,
): TollgateError {
  const requestId = details.requestId ?? problem?.request_id;
  const all = { ...details, code: problem?.code ?? UNEXPECTED_RESPONSE, status, problem, requestId };
  const suffix = requestId ? ` (request ${requestId})` : '';
  const message = problem
    ? `${problem.title}: ${problem.detail}${suffix}`
    : `The response with status ${status} is not in the format of the API. Check baseUrl, and the proxies in between.${suffix}`;
  if (status < 400) return new UnexpectedResponseError(message, all);
  const Class = CLASSES[status] ?? (status >= 500 ? ServerError : InvalidRequestError);
  return new Class(message, all);
}

/** The problem in the body of an error; undefined for anything else, such as the page of a proxy. */
export function asProblem(body: unknown): Problem | undefined {
  const { code, detail, title } = (body ?? {}) as Partial<Problem>;
  const isProblem = [code, detail, title].every((member) => typeof member === 'string');
  return isProblem ? (body as Problem) : undefined;
}
