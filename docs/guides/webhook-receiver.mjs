// What an application runs behind its webhook endpoint. WEBHOOK_SECRET=whsec_… node webhook-receiver.mjs
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const { WEBHOOK_SECRET = '', PORT = '4000' } = process.env;
const webhook = new Webhook(WEBHOOK_SECRET);

/** The newest version of each payment. In an application this is a column beside what it keeps of the payment. */
const versions = new Map();

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  let event;
  try {
    // The bytes as they came. JSON that was parsed and written again is other bytes, and its signature does not match.
    event = webhook.verify(Buffer.concat(chunks), request.headers);
  } catch {
    response.writeHead(400).end('This was not signed with the secret of this endpoint.');
    return;
  }
  const { id, version, status } = event.data;
  // Not newer than what is known: a repeat, or one that arrives after a newer one.
  if (version > (versions.get(id) ?? 0)) {
    versions.set(id, version);
    process.stdout.write(`${event.type}: ${id} is ${status}\n`);
  }
  response.writeHead(204).end();
});
server.listen(Number(PORT), '127.0.0.1', () => {
  process.stdout.write(`Listening on http://127.0.0.1:${PORT}\n`);
});
