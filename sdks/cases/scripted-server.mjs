// A server that misbehaves as told. Runners of any language start it and read its address from the first line of its output:
//
//   node sdks/cases/scripted-server.mjs
//
// README.md describes its control requests. It ends when its standard input ends, so that it never outlives its runner.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { examples } = JSON.parse(readFileSync(new URL('requests.json', import.meta.url), 'utf8'));

/** Session → the replies that are left, and the requests so far. */
const sessions = new Map();

const server = createServer(async (request, response) => {
  const [, session, ...rest] = request.url.split('/');
  const body = await readBody(request);
  if (session === 'sessions') return control(request.method, rest[0], body, response);
  const { replies, requests } = sessions.get(session);
  const { method, headers } = request;
  requests.push({ method, path: `/${rest.join('/')}`, headers, body: body === '' ? null : JSON.parse(body) });
  // Without a reply left, the client sends more than the case allows. It sees that in the requests.
  send(
    replies.shift() ?? { status: 400, problem: { code: 'case-has-no-reply-left', retryable: false } },
    response,
  );
});

/** Creates a session from a list of replies, or returns the requests that a session has received. */
function control(method, id, body, response) {
  // Each case starts without a connection: some runtimes repeat a request on their own when a reused one is dropped.
  response.writeHead(200, { 'content-type': 'application/json', connection: 'close' });
  if (method === 'GET') return response.end(JSON.stringify(sessions.get(id).requests));
  const created = `s${sessions.size + 1}`;
  sessions.set(created, { replies: JSON.parse(body), requests: [] });
  response.end(JSON.stringify({ id: created, base_url: `${addressOf(server)}/${created}` }));
}

function send(reply, response) {
  const { status = 200, fault } = reply;
  const bytes = bodyOf(reply);
  const headers = { 'content-type': contentTypeOf(reply), 'x-request-id': 'req_case', ...headersOf(reply) };
  const { socket } = response;
  switch (fault) {
    case undefined:
      return response.writeHead(status, { ...headers, 'content-length': bytes.length }).end(bytes);
    case 'drop-before-reply':
      return socket.destroy();
    case 'reset-before-reply':
      return socket.resetAndDestroy();
    case 'drop-in-body':
      response.writeHead(status, { ...headers, 'content-length': bytes.length });
      return response.write(bytes.subarray(0, bytes.length / 2), () => socket.destroy());
    case 'drop-in-chunked-body':
      response.writeHead(status, { ...headers, 'transfer-encoding': 'chunked' });
      return response.write(bytes.subarray(0, bytes.length / 2), () => socket.destroy());
    case 'no-headers':
      return;
    case 'no-end':
      response.writeHead(status, { ...headers, 'content-length': bytes.length });
      return response.write(bytes.subarray(0, bytes.length / 2));
    case 'truncated': {
      const half = bytes.subarray(0, bytes.length / 2);
      return response.writeHead(status, { ...headers, 'content-length': half.length }).end(half);
    }
    case 'duplicate': {
      const lines = Object.entries({ ...headers, 'content-length': bytes.length });
      const head = [`HTTP/1.1 ${status} OK`, ...lines.map(([name, value]) => `${name}: ${value}`), '', ''];
      const whole = Buffer.concat([Buffer.from(head.join('\r\n')), bytes]);
      return socket.write(Buffer.concat([whole, whole]));
    }
    default:
      throw new Error(`The fault "${fault}" is not in README.md.`);
  }
}

function bodyOf({ payment, problem, text, bytes = 0, status }) {
  if (text !== undefined) return Buffer.from(text);
  const json = payment ? { ...examples.payment, ...payment } : { ...examples.problem, status, ...problem };
  return Buffer.from(JSON.stringify(json).padEnd(bytes));
}

function contentTypeOf({ payment, problem }) {
  return problem && !payment ? 'application/problem+json' : 'application/json';
}

/** A `Retry-After` as a date cannot be data, because it depends on the time of the reply. */
function headersOf({ headers = {}, retry_after_date_seconds: seconds }) {
  if (seconds === undefined) return headers;
  return { ...headers, 'retry-after': new Date(Date.now() + seconds * 1_000).toUTCString() };
}

async function readBody(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function addressOf(listening) {
  return `http://127.0.0.1:${listening.address().port}`;
}

server.listen(0, '127.0.0.1', () => process.stdout.write(`${addressOf(server)}\n`));
process.stdin.resume().on('end', () => process.exit());
