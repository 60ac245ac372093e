import { AdapterError } from '../adapter-error.ts';

/**
 * Runs a job with a signal that aborts at the deadline. A job that ignores the signal continues, and its result is not lost:
 * it is stored before the next call for the same payment.
 *
 * @throws AdapterError 504 at the deadline
 */
export async function withinDeadline<Result>(
  deadlineMs: number,
  job: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const { promise: deadline, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new AdapterError(
      504,
      `The call did not complete within ${deadlineMs} ms, because the processor is slow. Its outcome is unknown. Repeat the call.`,
    );
    controller.abort(error);
    reject(error);
  }, deadlineMs);
  try {
    return await Promise.race([job(controller.signal), deadline]);
  } finally {
    clearTimeout(timer);
  }
}
