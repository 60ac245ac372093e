import { HOUR_MS, MINUTE_MS } from '@tollgate/contracts/platform/durations';
import { type CreationRequest, checkCreation } from './check-creation.ts';
import { MollieProblem, type MollieResponse } from './mollie-problem.ts';

interface StoredPayment {
  id: string;
  status: string;
  createdAtMs: number;
  isCancelable: boolean;
  details: object | null;
  request: CreationRequest;
  /** Fields that Mollie reports besides, or otherwise. */
  changes: object;
}

/** Money that moved. */
interface Charge {
  mollieId: string;
  /** Id of the payment in Tollgate. */
  paymentId: string | undefined;
  value: string;
}

const KEY_MEMORY_MS = HOUR_MS;
const OPEN_FOR_MS = 15 * MINUTE_MS;
const FINAL = ['paid', 'failed', 'canceled', 'expired'];

/** What Mollie stores and does, without HTTP: payments, newest first, idempotency keys, and the ledger of charges. */
export class MollieAccount {
  readonly payments: StoredPayment[] = [];
  readonly charges: Charge[] = [];
  readonly customers = new Set(['cst_8wmqcHMN4U']);
  readonly mandates = new Set(['mdt_h3gAaD5zP']);
  /** The status of a recurring payment right after its creation. */
  recurringStatus = 'paid';
  /** Instead of it, for payments of an amount. */
  readonly recurringStatuses = new Map<string, string>();
  /** A creation waits for it while it is carried out. */
  execution: Promise<void> | null = null;
  readonly #keys = new Map<string, { body: string; atMs: number; response: MollieResponse | null }>();
  readonly #clock: { now(): number };

  constructor(clock: { now(): number }) {
    this.#clock = clock;
  }

  /** https://docs.mollie.com/reference/api-idempotency */
  async createOnce(body: string, key: string | undefined): Promise<MollieResponse> {
    if (key === undefined) return this.#create(body);
    const known = this.#keys.get(key);
    if (known && this.#clock.now() - known.atMs <= KEY_MEMORY_MS) {
      if (known.body !== body) throw new MollieProblem(400, 'The idempotency key belongs to another request');
      if (!known.response) throw new MollieProblem(409, 'A request with this idempotency key is in progress');
      return { ...known.response, headers: { 'idempotent-replayed': 'true' } };
    }
    const entry = { body, atMs: this.#clock.now(), response: null as MollieResponse | null };
    this.#keys.set(key, entry);
    entry.response = await this.#create(body).catch(responseOf);
    return entry.response;
  }

  async #create(body: string): Promise<MollieResponse> {
    await this.execution;
    const request = JSON.parse(body) as CreationRequest;
    checkCreation(request, this);
    const payment: StoredPayment = {
      id: `tr_${String(this.payments.length + 1).padStart(10, '0')}`,
      status: 'open',
      createdAtMs: this.#clock.now(),
      isCancelable: false,
      details: null,
      request,
      changes: {},
    };
    this.payments.unshift(payment);
    if (request.sequenceType === 'recurring') {
      this.settle(payment.id, this.recurringStatuses.get(request.amount.value) ?? this.recurringStatus);
    }
    return { status: 201, body: this.#resource(payment) };
  }

  get(id: string): MollieResponse {
    return { status: 200, body: this.#resource(this.#find(id)) };
  }

  cancel(id: string): MollieResponse {
    if (!this.#find(id).isCancelable) throw new MollieProblem(422, 'The payment cannot be canceled');
    this.settle(id, 'canceled');
    return this.get(id);
  }

  /** https://docs.mollie.com/reference/list-payments */
  list(address: URL, customerId?: string): MollieResponse {
    if (customerId !== undefined && !this.customers.has(customerId)) {
      throw new MollieProblem(404, `No customer exists with token ${customerId}.`);
    }
    const all = this.payments.filter(({ request }) => !customerId || request.customerId === customerId);
    const limit = Number(address.searchParams.get('limit') ?? 50);
    if (!(limit >= 1 && limit <= 250)) throw new MollieProblem(400, 'The limit is not valid', 'limit');
    const from = address.searchParams.get('from');
    const start = from === null ? 0 : all.findIndex(({ id }) => id === from);
    if (start === -1) throw new MollieProblem(400, 'The from is not valid', 'from');
    const page = all.slice(start, start + limit).map((payment) => this.#resource(payment));
    const next = all[start + limit];
    const nextHref = `${address.origin}${address.pathname}?from=${next?.id}&limit=${limit}`;
    return {
      status: 200,
      body: {
        count: page.length,
        _embedded: { payments: page },
        _links: { previous: null, next: next ? { href: nextHref, type: 'application/hal+json' } : null },
      },
    };
  }

  /** What the payer, the bank, or time does to a payment. */
  settle(id: string, status: string, details: object | null = null): void {
    const payment = this.#find(id);
    Object.assign(payment, { status, details });
    if (status !== 'paid') return;
    const { metadata, amount } = payment.request;
    this.charges.push({ mollieId: id, paymentId: metadata?.['payment_id'], value: amount.value });
  }

  /** What the payee does: captures a part, or refunds. Or what a test needs Mollie to report. */
  change(id: string, changes: object): void {
    const payment = this.#find(id);
    payment.changes = { ...payment.changes, ...changes };
  }

  /** All of the payment. */
  refund(id: string): void {
    this.change(id, { amountRefunded: this.#find(id).request.amount });
  }

  allowCancel(id: string): void {
    this.#find(id).isCancelable = true;
  }

  #find(id: string): StoredPayment {
    const payment = this.payments.find((candidate) => candidate.id === id);
    if (!payment) throw new MollieProblem(404, `No payment exists with token ${id}.`);
    return payment;
  }

  /** https://docs.mollie.com/reference/get-payment */
  #resource({ id, request, status, createdAtMs, isCancelable, details, changes }: StoredPayment): object {
    const needsPayer = status === 'open' && request.sequenceType !== 'recurring';
    const checkout = { href: `https://www.mollie.com/checkout/${id.slice(3)}`, type: 'text/html' };
    return {
      resource: 'payment',
      id,
      mode: 'test',
      createdAt: new Date(createdAtMs).toISOString(),
      amount: request.amount,
      description: request.description,
      method: null,
      metadata: request.metadata ?? null,
      status,
      ...(!FINAL.includes(status) && { isCancelable }),
      ...(status === 'open' && { expiresAt: new Date(createdAtMs + OPEN_FOR_MS).toISOString() }),
      details,
      profileId: 'pfl_QkEhN94Ba',
      sequenceType: request.sequenceType ?? 'oneoff',
      redirectUrl: request.redirectUrl ?? null,
      ...(request.customerId && { customerId: request.customerId }),
      _links: {
        self: { href: `https://api.mollie.com/v2/payments/${id}`, type: 'application/hal+json' },
        ...(needsPayer && { checkout }),
      },
      ...changes,
    };
  }
}

export function responseOf(error: unknown): MollieResponse {
  if (error instanceof MollieProblem) return error.response;
  throw error;
}
