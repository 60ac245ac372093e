// Runs the request cases on any runtime, and prints the names of those that fail. The argument is the address of the
// scripted server. It asserts less than request-cases.test.ts: only fetch differs between runtimes.
import { Tollgate } from '@tollgate/sdk';
import file from './requests.json' with { type: 'json' };

const address = process.argv[2];
const failed = [];
for (const one of file.cases) if (!(await passes(one))) failed.push(one.name);
console.log(JSON.stringify(failed));

async function passes({ client = {}, replies, calls }) {
  const created = await fetch(`${address}/sessions`, { method: 'POST', body: JSON.stringify(replies) });
  const { id, base_url: baseUrl } = await created.json();
  let waitedMs = 0;
  const clock = {
    nowMs: () => performance.now() + waitedMs,
    random: () => Math.random(),
    sleep: async (ms) => {
      waitedMs += ms;
    },
  };
  const { timeout_ms: timeoutMs, attempt_timeout_ms: attemptTimeoutMs, max_retries: maxRetries } = client;
  const options = { apiKey: file.api_key, baseUrl, timeoutMs, attemptTimeoutMs, maxRetries };
  const tollgate = new Tollgate(options, clock);
  const outcomes = [];
  for (const call of calls) {
    const outcome = await start(tollgate, call).catch((error) => ({ error: error.name, code: error.code }));
    const { error, code, payment } = call.expect;
    outcomes.push(payment ? outcome.object === 'payment' : outcome.error === error && outcome.code === code);
  }
  const requests = await (await fetch(`${address}/sessions/${id}`)).json();
  const attempts = calls.reduce((sum, call) => sum + call.expect.attempts, 0);
  const keys = new Set(requests.map(({ headers }) => headers['idempotency-key']));
  outcomes.push(requests.every(({ headers }) => headers['user-agent'].startsWith('tollgate-node/')));
  return outcomes.every(Boolean) && requests.length === attempts && keys.size <= calls.length;
}

async function start(
  { payments },
  {
    operation,
    id,
    params = {},
    timeout_ms: timeoutMs,
    attempt_timeout_ms: attemptTimeoutMs,
    idempotency_key: idempotencyKey,
  },
) {
  const options = { timeoutMs, attemptTimeoutMs, idempotencyKey };
  if (operation === 'create') return payments.create(params, options);
  return operation === 'retrieve' ? payments.retrieve(id, options) : payments.cancel(id, params, options);
}
