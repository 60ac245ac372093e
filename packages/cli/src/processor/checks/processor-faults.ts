import { isFinal } from '@tollgate/processor-adapter/contract/final-status';
import type { Call } from '@tollgate/processor-adapter/contract/signature';
import type { Exchange } from '../adapter-caller.ts';
import type { Check } from '../check.ts';
import { Finding } from '../finding.ts';
import type { Handle, RelayedResponse } from '../relay.ts';
import { type Suite, stateOf } from '../suite.ts';

const json = (status: number, content: object): RelayedResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(content)),
});

const EVERY_CALL: Call[] = ['start', 'status', 'cancel'];
/** A cancellation may rely on the HTTP status of the response. */
const READING_CALLS: Call[] = ['start', 'status'];

/** What the processor does, and the calls whose outcome is unknown then. */
const FAULTS: Record<string, { handle: Handle; calls: Call[] }> = {
  'closes connections': { handle: async () => null, calls: EVERY_CALL },
  'responds with 401': { handle: async () => json(401, { error: 'unauthorized' }), calls: EVERY_CALL },
  'responds with 429': { handle: async () => json(429, { error: 'too many requests' }), calls: EVERY_CALL },
  'responds with 503': { handle: async () => json(503, { error: 'unavailable' }), calls: EVERY_CALL },
  'responds with an empty object': { handle: async () => json(200, {}), calls: READING_CALLS },
  'responds with words that the adapter does not know': {
    handle: async (_, pass) => withUnknownWords(await pass()),
    calls: READING_CALLS,
  },
};

/** Replaces each value that is a single word, as statuses are. */
function withUnknownWords(response: RelayedResponse): RelayedResponse {
  const text = response.body.toString().replaceAll(/:\s*"[a-z_]+"/gi, ':"unknown_value"');
  return { ...response, body: Buffer.from(text) };
}

function decidesNothing(what: string, { handle, calls }: (typeof FAULTS)[string]): Check {
  return {
    name: `decides nothing while the processor ${what}`,
    rule: 'errors-decide-nothing',
    async run(suite) {
      const relay = suite.processor();
      for (const call of calls) {
        const payment = suite.payment();
        const note = `while the processor ${what}`;
        if (call === 'start') {
          expectUndecided(await relay.during(handle, () => suite.start(payment, { note })), note);
          continue;
        }
        if (isFinal(stateOf(await suite.start(payment)))) continue;
        expectUndecided(await relay.during(handle, () => suite[call](payment.id)), note);
      }
    },
  };
}

function expectUndecided(exchange: Exchange, note: string): void {
  const isError = exchange.status !== null && exchange.status >= 500;
  if (isError || (exchange.status === 200 && !isFinal(stateOf(exchange)))) return;
  throw new Finding(`status 5xx ${note}, because the outcome is unknown`, exchange);
}

async function respondsWhileSlow(suite: Suite): Promise<void> {
  let release: (response: null) => void = () => undefined;
  const held = new Promise<null>((resolve) => {
    release = resolve;
  });
  const note = 'while the processor does not respond';
  try {
    // Any response will do. The caller reports one that takes too long.
    await suite.processor().during(
      () => held,
      () => suite.start(suite.payment(), { note }),
    );
  } finally {
    release(null);
  }
}

export const PROCESSOR_FAULT_CHECKS: Check[] = [
  ...Object.entries(FAULTS).map(([what, fault]) => decidesNothing(what, fault)),
  {
    name: 'responds in time while the processor is slow',
    rule: 'responds-in-time',
    run: respondsWhileSlow,
  },
];
