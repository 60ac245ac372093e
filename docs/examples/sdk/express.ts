// A webhook receiver with Express: WEBHOOK_SECRET=whsec_… node express.ts
import { WebhookVerificationError, webhooks } from '@tollgate/sdk';
import express, { type NextFunction, type Request, type Response } from 'express';

const { WEBHOOK_SECRET = '', PORT = '4000' } = process.env;
const app = express();

// express.raw() keeps the bytes as received. Register it before any express.json(), which would parse them.
app.post('/hooks', express.raw({ type: 'application/json' }), async (request, response) => {
  const event = await webhooks.verify(request.body, request.headers, WEBHOOK_SECRET);
  if (event.type === 'payment.succeeded') console.log(`${event.data.reference} is paid.`);
  response.sendStatus(204);
});

app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
  if (error instanceof WebhookVerificationError) response.status(400).send(error.message);
  else next(error);
});

app.listen(Number(PORT));
