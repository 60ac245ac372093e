import { BrokenCircuitError, CircuitState, ConsecutiveBreaker, circuitBreaker, handleAll } from 'cockatiel';
import { CallFailed } from './adapter-client.ts';

const FAILURES_TO_OPEN = 5;

/**
 * Stops calls to an adapter that fails, and tries one from time to time until it works again.
 *
 * @param options.trialAfterMs from the moment that the breaker opens until the first trial
 */
export function createAdapterBreaker(options: {
  trialAfterMs: number;
  onChange: (isClosed: boolean) => void;
}) {
  const { trialAfterMs, onChange } = options;
  const breaker = circuitBreaker(handleAll, {
    breaker: new ConsecutiveBreaker(FAILURES_TO_OPEN),
    halfOpenAfter: trialAfterMs,
  });
  let trialAt = 0;
  breaker.onBreak(() => {
    // The clock of the library, which no test replaces.
    trialAt = Date.now() + trialAfterMs;
    onChange(false);
  });
  breaker.onReset(() => onChange(true));
  const isClosed = () => breaker.state === CircuitState.Closed;
  return {
    async run<Result>(call: () => Promise<Result>): Promise<Result> {
      try {
        return await breaker.execute(call);
      } catch (error) {
        if (!(error instanceof BrokenCircuitError)) throw error;
        throw new CallFailed(
          `The adapter failed ${FAILURES_TO_OPEN} times in a row. It is called again in some seconds.`,
        );
      }
    },
    /** How many of `max` calls make sense now: none while the breaker is open, one as a trial. */
    capacity(max: number): number {
      if (isClosed()) return max;
      return Date.now() >= trialAt ? 1 : 0;
    },
    isClosed,
  };
}
