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

type ErrorClass = new (message: string, details: ErrorDetails) => TollgateError;

const CLASSES: Record<number, ErrorClass> = {
  401: AuthenticationError,
  403: PermissionError,
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
    ? `${problem.title}: ${[problem.detail, ...fieldSentences(problem)].join(' ')}${suffix}`
    : `The response with status ${status} is not in the format of the API. Check baseUrl, and the proxies in between.${suffix}`;
  return new (classOf(status, problem))(message, all);
}

/** `/amount: This must be a number.` for each field of the request that the API rejected. */
function fieldSentences({ errors }: Problem): string[] {
  // A later release, or a proxy, could send anything.
  const fields = Array.isArray(errors)
    ? errors.filter((error) => error !== null && typeof error === 'object')
    : [];
  return fields.map(
    ({ pointer, header, parameter, detail }) => `${pointer ?? header ?? parameter}: ${detail}`,
  );
}

function classOf(status: number, problem: Problem | undefined): ErrorClass {
  if (status >= 500) return ServerError;
  // A page of a proxy says nothing about the key or the payment. Only 408 and 429 mean the same wherever they come from.
  if (status < 400 || !(problem || status === 408 || status === 429)) return UnexpectedResponseError;
  return problem?.code === 'payment-not-found' ? NotFoundError : (CLASSES[status] ?? InvalidRequestError);
}

/** The problem in the body of an error; undefined for anything else, such as the page of a proxy. */
export function asProblem(body: unknown): Problem | undefined {
  const { code, detail, title } = (body ?? {}) as Partial<Problem>;
  const isProblem = [code, detail, title].every((member) => typeof member === 'string');
  return isProblem ? (body as Problem) : undefined;
}
