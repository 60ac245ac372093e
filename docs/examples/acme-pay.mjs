// Acme Pay, an imaginary processor for the guide "Write a processor adapter". It keeps everything in memory. Requires Node 22 or
// later, and no packages.
//
//   ACME_API_KEY=key ACME_WEBHOOK_SECRET=secret WEBHOOK_URL=http://localhost:8101/webhooks node docs/examples/acme-pay.mjs

import { createHmac, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

const {
  PORT = '4100',
  ACME_API_KEY,
  ACME_WEBHOOK_SECRET,
  WEBHOOK_URL = 'http://localhost:8101/webhooks',
} = process.env;
if (!ACME_API_KEY || !ACME_WEBHOOK_SECRET) throw new Error('Set ACME_API_KEY and ACME_WEBHOOK_SECRET.');
const ORIGIN = `http://localhost:${PORT}`;

const CURRENCIES = ['EUR', 'JPY', 'KWD'];

/** Checkouts by id. A checkout is open until the payer approves or declines it, or until it is canceled. */
const checkouts = new Map();

createServer(async (request, response) => {
  const body = (await request.toArray()).join('');
  const { status, content } = route(request, body);
  const type = typeof content === 'string' ? 'text/html' : 'application/json';
  response.writeHead(status, { 'content-type': type });
  response.end(typeof content === 'string' ? content : JSON.stringify(content));
}).listen(Number(PORT), () => console.log(`Acme Pay: ${ORIGIN}`));

function route({ method, url, headers }, body) {
  const [, page, id, action] = new URL(url, ORIGIN).pathname.split('/');
  if (page === 'pay') return method === 'POST' ? decide(id, action) : payPage(id);
  if (page !== 'checkouts') return { status: 404, content: { error: 'Not found.' } };
  if (headers.authorization !== `Bearer ${ACME_API_KEY}`)
    return { status: 401, content: { error: 'The API key is wrong.' } };
  if (method === 'POST' && action === 'cancel') return cancel(id);
  if (method === 'POST') return create(JSON.parse(body));
  if (!id) return { status: 200, content: [...checkouts.values()] };
  return found(id, (checkout) => ({ status: 200, content: checkout }));
}

/** Creates one checkout per order. */
function create({ order, amount, currency, return_url }) {
  const existing = [...checkouts.values()].find((checkout) => checkout.order === order);
  if (existing) return { status: 200, content: existing };
  if (!CURRENCIES.includes(currency))
    return { status: 422, content: { error: `Acme Pay accepts ${CURRENCIES}.` } };
  const id = randomUUID();
  const checkout = { id, order, amount, currency, return_url, status: 'open', url: `${ORIGIN}/pay/${id}` };
  checkouts.set(id, checkout);
  return { status: 201, content: checkout };
}

/** Returns the checkout as it is when it is too late to cancel it. */
function cancel(id) {
  return found(id, (checkout) => {
    if (checkout.status === 'open') checkout.status = 'canceled';
    return { status: 200, content: checkout };
  });
}

function payPage(id) {
  return found(id, ({ amount, currency, status }) => ({
    status: 200,
    content: `<h1>Acme Pay</h1><p>${amount} ${currency} (minor units): ${status}</p>
      <form method="post" action="/pay/${id}/approve"><button>Pay</button></form>
      <form method="post" action="/pay/${id}/decline"><button>Decline</button></form>`,
  }));
}

function decide(id, action) {
  return found(id, (checkout) => {
    if (checkout.status === 'open') {
      checkout.status = action === 'approve' ? 'paid' : 'declined';
      void notify(checkout);
    }
    return { status: 200, content: `<h1>Acme Pay</h1><p>${checkout.status}</p>` };
  });
}

function found(id, respond) {
  const checkout = checkouts.get(id);
  return checkout ? respond(checkout) : { status: 404, content: { error: 'Checkout not found.' } };
}

/** Sends a webhook until the receiver responds with 2xx. */
async function notify({ id }) {
  const body = JSON.stringify({ checkout: id });
  const signature = createHmac('sha256', ACME_WEBHOOK_SECRET).update(body).digest('hex');
  const send = () => fetch(WEBHOOK_URL, { method: 'POST', body, headers: { 'acme-signature': signature } });
  for (;;) {
    const response = await send().catch(() => null);
    if (response?.ok) return;
    await delay(1_000);
  }
}
