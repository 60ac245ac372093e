import { type Form, formOf, textOf } from './form.ts';
import { invalid, resourceMissing, StripeProblem } from './stripe-problem.ts';

export interface Intent {
  id: string;
  object: 'payment_intent';
  amount: number;
  amount_received: number;
  latest_charge: string | null;
  currency: string;
  status: string;
  livemode: false;
  created: number;
  client_secret: string;
  metadata: Record<string, string>;
  description: string | null;
  payment_method: string | null;
  automatic_payment_methods: { allow_redirects: string } | null;
  cancellation_reason: string | null;
  last_payment_error: Record<string, unknown> | null;
  next_action: Record<string, unknown> | null;
}

interface Charge {
  id: string;
  object: 'charge';
  payment_intent: string;
  amount: number;
  amount_refunded: number;
  currency: string;
  disputed: boolean;
}

interface Dispute {
  object: 'dispute';
  charge: string;
  payment_intent: string;
  amount: number;
  currency: string;
  status: string;
  metadata: object;
}

export interface Session {
  id: string;
  object: 'checkout.session';
  status: 'open' | 'complete' | 'expired';
  payment_status: 'paid' | 'unpaid';
  livemode: false;
  amount_total: number;
  currency: string;
  created: number;
  expires_at: number;
  client_reference_id: string | null;
  metadata: Record<string, string>;
  /** Null until the payer confirms, since API version 2022-08-01. */
  payment_intent: string | null;
  success_url: string | null;
  cancel_url: string | null;
  url: string | null;
}

/** How test payment methods behave: https://docs.stripe.com/testing */
const PAYMENT_METHODS: Record<
  string,
  'succeeds' | 'processes' | 'authenticates' | { code: string; decline_code?: string }
> = {
  pm_card_visa: 'succeeds',
  pm_usBankAccount_success: 'processes',
  pm_card_authenticationRequired: 'authenticates',
  pm_card_chargeDeclined: { code: 'card_declined', decline_code: 'generic_decline' },
  pm_card_chargeDeclinedInsufficientFunds: { code: 'card_declined', decline_code: 'insufficient_funds' },
  pm_card_chargeDeclinedExpiredCard: { code: 'expired_card' },
  pm_card_chargeDeclinedStolenCard: { code: 'card_declined', decline_code: 'stolen_card' },
};

const CURRENCIES = ['eur', 'usd', 'gbp', 'jpy', 'isk', 'kwd', 'mga', 'ugx', 'huf'];
const MIN_AMOUNT = 50;
const MAX_AMOUNT = 99_999_999;
/** Search has new objects after a while: https://docs.stripe.com/search#data-freshness */
const SEARCH_DELAY_S = 60;
const MIN_SESSION_S = 30 * 60;
const DAY_S = 24 * 60 * 60;

const INTENT_PARAMS = [
  'amount',
  'currency',
  'payment_method',
  'automatic_payment_methods',
  'metadata',
  'description',
];
const CONFIRM_PARAMS = ['return_url', 'error_on_requires_action'];
const SESSION_PARAMS = [
  'mode',
  'client_reference_id',
  'success_url',
  'cancel_url',
  'line_items',
  'metadata',
  'payment_intent_data',
  'expires_at',
];

/** Stripe's side of the payments, with a ledger of what was charged. */
export class StripeAccount {
  readonly intents = new Map<string, Intent>();
  readonly sessions = new Map<string, Session>();
  readonly disputes: Dispute[] = [];
  /** One entry for each time that money moved. */
  readonly charges: { paymentId: string | undefined; amount: number; currency: string }[] = [];
  readonly #clock: { now(): number };
  readonly #chargeObjects = new Map<string, Charge>();
  readonly #intentData = new Map<string, Form>();
  #count = 0;

  constructor(clock: { now(): number }) {
    this.#clock = clock;
  }

  createIntent(form: Form): Intent {
    checkParams(form, INTENT_PARAMS);
    const method = textOf(form, 'payment_method');
    if (method && !(method in PAYMENT_METHODS))
      throw resourceMissing('PaymentMethod', method, 'payment_method');
    checkMoney(form, { amount: 'amount', currency: 'currency' });
    return this.#addIntent(form, method);
  }

  #addIntent(form: Form, method: string | null): Intent {
    const id = this.#newId('pi');
    const redirects = textOf(formOf(form, 'automatic_payment_methods'), 'allow_redirects');
    const intent: Intent = {
      id,
      object: 'payment_intent',
      amount: Number(textOf(form, 'amount')),
      amount_received: 0,
      latest_charge: null,
      currency: textOf(form, 'currency') as string,
      status: method ? 'requires_confirmation' : 'requires_payment_method',
      livemode: false,
      created: this.#nowS(),
      client_secret: `${id}_secret_tops3cret`,
      metadata: metadataOf(form),
      description: textOf(form, 'description'),
      payment_method: method,
      automatic_payment_methods: redirects === null ? null : { allow_redirects: redirects },
      cancellation_reason: null,
      last_payment_error: null,
      next_action: null,
    };
    this.intents.set(id, intent);
    return intent;
  }

  confirmIntent(id: string, form: Form): Intent {
    const intent = this.intent(id);
    checkParams(form, CONFIRM_PARAMS);
    const returnUrl = textOf(form, 'return_url');
    if (intent.status !== 'requires_confirmation') throw unexpectedState(intent, 'confirm');
    if (intent.automatic_payment_methods?.allow_redirects === 'always' && !returnUrl) {
      throw invalid('You must provide a `return_url`.', { param: 'return_url' });
    }
    const behavior = PAYMENT_METHODS[intent.payment_method as string];
    if (behavior === 'succeeds') return this.#charge(intent);
    if (behavior === 'processes') return Object.assign(intent, { status: 'processing' });
    if (behavior === 'authenticates') {
      if (textOf(form, 'error_on_requires_action') === 'true')
        return fail(intent, { code: 'authentication_required' });
      const url = `https://hooks.stripe.com/3d_secure_2/hosted?intent=${id}`;
      const next_action = { type: 'redirect_to_url', redirect_to_url: { url, return_url: returnUrl } };
      return Object.assign(intent, { status: 'requires_action', next_action });
    }
    return fail(intent, behavior as { code: string });
  }

  cancelIntent(id: string, form: Form): Intent {
    const intent = this.intent(id);
    checkParams(form, ['cancellation_reason']);
    const isOfSession = [...this.sessions.values()].some((session) => session.payment_intent === id);
    if (isOfSession) throw invalid('You cannot cancel the PaymentIntent for a Checkout Session.');
    if (['succeeded', 'canceled', 'processing'].includes(intent.status))
      throw unexpectedState(intent, 'cancel');
    return Object.assign(intent, {
      status: 'canceled',
      cancellation_reason: textOf(form, 'cancellation_reason'),
      // "It will be cleared if the PaymentIntent is later updated for any reason."
      last_payment_error: null,
      next_action: null,
    });
  }

  intent(id: string): Intent {
    const intent = this.intents.get(id);
    if (!intent) throw resourceMissing('payment_intent', id, 'intent', 404);
    return intent;
  }

  /** Supports the one query of the adapter. */
  searchIntents(url: URL): object {
    const [, key, value] =
      /^metadata\["([^"]+)"\]:"([^"]+)"$/.exec(url.searchParams.get('query') ?? '') ?? [];
    if (!key) throw invalid('We were unable to parse your search query.', { param: 'query' });
    const isIndexed = ({ created }: Intent) => created <= this.#nowS() - SEARCH_DELAY_S;
    const found = [...this.intents.values()].filter(
      (intent) => isIndexed(intent) && intent.metadata[key] === value,
    );
    const limit = Number(url.searchParams.get('limit') ?? 10);
    const from = Number(url.searchParams.get('page') ?? 0);
    const hasMore = found.length > from + limit;
    return {
      object: 'search_result',
      url: '/v1/payment_intents/search',
      data: found.slice(from, from + limit),
      has_more: hasMore,
      next_page: hasMore ? String(from + limit) : null,
    };
  }

  createSession(form: Form): Session {
    checkParams(form, SESSION_PARAMS);
    if (textOf(form, 'mode') !== 'payment') throw invalid('Missing required param: mode.', { param: 'mode' });
    if (!URL.canParse(textOf(form, 'success_url') ?? ''))
      throw invalid('Not a valid URL', { code: 'url_invalid', param: 'success_url' });
    const price = formOf(formOf(formOf(form, 'line_items'), '0'), 'price_data');
    checkMoney(price, { amount: 'unit_amount', currency: 'currency' }, 'line_items[0][price_data]');
    const now = this.#nowS();
    const expires = textOf(form, 'expires_at');
    const expiresAt = expires === null ? now + DAY_S : Number(expires);
    if (expiresAt < now + MIN_SESSION_S || expiresAt > now + DAY_S) {
      throw invalid(
        'The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.',
        { param: 'expires_at' },
      );
    }
    const id = this.#newId('cs_test');
    const session: Session = {
      id,
      object: 'checkout.session',
      status: 'open',
      payment_status: 'unpaid',
      livemode: false,
      amount_total: Number(textOf(price, 'unit_amount')),
      currency: textOf(price, 'currency') as string,
      created: now,
      expires_at: expiresAt,
      client_reference_id: textOf(form, 'client_reference_id'),
      metadata: metadataOf(form),
      payment_intent: null,
      success_url: textOf(form, 'success_url'),
      cancel_url: textOf(form, 'cancel_url'),
      url: `https://checkout.stripe.com/c/pay/${id}`,
    };
    this.sessions.set(id, session);
    this.#intentData.set(id, formOf(form, 'payment_intent_data'));
    return session;
  }

  session(id: string): Session {
    const session = this.sessions.get(id);
    if (!session) throw resourceMissing('checkout.session', id, 'session', 404);
    if (session.status === 'open' && session.expires_at <= this.#nowS()) this.#expire(session);
    return session;
  }

  expireSession(id: string): Session {
    const session = this.session(id);
    if (session.status !== 'open') {
      throw invalid(
        `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${session.status}\`.`,
      );
    }
    return this.#expire(session);
  }

  #expire(session: Session): Session {
    if (session.payment_intent) this.intent(session.payment_intent).status = 'canceled';
    return Object.assign(session, { status: 'expired', url: null });
  }

  /** What the payer does on the page of the session. `later` and `voucher` are methods that notify after days. */
  pay(sessionId: string, how: 'succeeds' | 'declined' | 'later' | 'voucher' = 'succeeds'): void {
    const session = this.session(sessionId);
    if (session.status !== 'open') throw new Error('the page says that the session is over');
    const money = { amount: String(session.amount_total), currency: session.currency };
    const intent = session.payment_intent
      ? this.intent(session.payment_intent)
      : this.#addIntent({ ...this.#intentData.get(sessionId), ...money }, null);
    session.payment_intent = intent.id;
    if (how === 'declined') {
      intent.last_payment_error = { type: 'card_error', code: 'card_declined', decline_code: 'do_not_honor' };
      return;
    }
    Object.assign(session, { status: 'complete', url: null });
    if (how === 'later') intent.status = 'processing';
    else if (how === 'voucher') {
      const multibanco_display_details = {
        hosted_voucher_url: 'https://payments.stripe.com/multibanco/voucher/test',
      };
      Object.assign(intent, {
        status: 'requires_action',
        next_action: { type: 'multibanco_display_details', multibanco_display_details },
      });
    } else {
      this.#charge(intent);
      session.payment_status = 'paid';
    }
  }

  /** The bank reports the outcome of an intent that was processing, or the payer has completed or failed an action. */
  finish(intentId: string, outcome: 'succeeds' | { code: string; decline_code?: string }): void {
    const intent = this.intent(intentId);
    const session = [...this.sessions.values()].find(({ payment_intent }) => payment_intent === intentId);
    if (outcome === 'succeeds') {
      this.#charge(intent);
      if (session) session.payment_status = 'paid';
    } else {
      Object.assign(intent, {
        status: 'requires_payment_method',
        last_payment_error: { type: 'card_error', ...outcome },
        next_action: null,
      });
    }
  }

  #charge(intent: Intent): Intent {
    this.charges.push({
      paymentId: intent.metadata.tollgate_payment_id,
      amount: intent.amount,
      currency: intent.currency,
    });
    const id = intent.id.replace('pi_', 'ch_');
    this.#chargeObjects.set(id, {
      id,
      object: 'charge',
      payment_intent: intent.id,
      amount: intent.amount,
      amount_refunded: 0,
      currency: intent.currency,
      disputed: false,
    });
    const received = { amount_received: intent.amount, latest_charge: id };
    return Object.assign(intent, { status: 'succeeded', next_action: null, ...received });
  }

  charge(id: string): Charge {
    const charge = this.#chargeObjects.get(id);
    if (!charge) throw resourceMissing('charge', id, 'id', 404);
    return charge;
  }

  listDisputes(charge: string | null): object {
    const data = this.disputes.filter((dispute) => dispute.charge === charge);
    return { object: 'list', url: '/v1/disputes', has_more: false, data };
  }

  /** What the payee does in the Dashboard. Returns the refund. */
  refund(intentId: string, amount: number): object {
    const charge = this.charge(this.intent(intentId).latest_charge as string);
    charge.amount_refunded += amount;
    return { object: 'refund', charge: charge.id, payment_intent: intentId, amount, metadata: {} };
  }

  /** What the payer's bank does. */
  dispute(intentId: string, amount: number, status = 'needs_response'): Dispute {
    const charge = this.charge(this.intent(intentId).latest_charge as string);
    charge.disputed = true;
    const { id, currency } = charge;
    const dispute: Dispute = {
      object: 'dispute',
      charge: id,
      payment_intent: intentId,
      amount,
      currency,
      status,
      metadata: {},
    };
    this.disputes.push(dispute);
    return dispute;
  }

  #newId(prefix: string): string {
    this.#count += 1;
    return `${prefix}_${String(this.#count).padStart(10, '0')}`;
  }

  #nowS(): number {
    return Math.floor(this.#clock.now() / 1000);
  }
}

/** The attempt fails: 402, and the intent waits for another payment method. */
function fail(intent: Intent, error: { code: string; decline_code?: string }): never {
  const last_payment_error = { type: 'card_error', message: 'Your card was declined.', ...error };
  Object.assign(intent, { status: 'requires_payment_method', payment_method: null, last_payment_error });
  throw new StripeProblem(402, { ...last_payment_error, payment_intent: { ...intent } }, true);
}

function unexpectedState({ status }: Intent, action: string): StripeProblem {
  const message = `You cannot ${action} this PaymentIntent because it has a status of ${status}.`;
  return new StripeProblem(
    400,
    { type: 'invalid_request_error', code: 'payment_intent_unexpected_state', message },
    true,
  );
}

function checkParams(form: Form, known: string[]): void {
  const unknown = Object.keys(form).find((name) => !known.includes(name));
  if (unknown)
    throw invalid(`Received unknown parameter: ${unknown}`, { code: 'parameter_unknown', param: unknown });
}

function checkMoney(form: Form, names: { amount: string; currency: string }, parent = ''): void {
  const param = (name: string) => (parent ? `${parent}[${name}]` : name);
  const currency = textOf(form, names.currency) ?? '';
  const amount = textOf(form, names.amount) ?? '';
  if (!CURRENCIES.includes(currency))
    throw invalid(`Invalid currency: ${currency}.`, { param: param(names.currency) });
  if (!/^\d+$/.test(amount))
    throw invalid('Invalid integer', { code: 'parameter_invalid_integer', param: param(names.amount) });
  const isWhole = !['isk', 'ugx'].includes(currency) || Number(amount) % 100 === 0;
  const isRounded = currency !== 'kwd' || Number(amount) % 10 === 0;
  if (!isWhole || !isRounded) throw invalid('Invalid amount', { param: param(names.amount) });
  if (Number(amount) < MIN_AMOUNT)
    throw invalid('Amount must be at least 50 cents', {
      code: 'amount_too_small',
      param: param(names.amount),
    });
  if (Number(amount) > MAX_AMOUNT)
    throw invalid('Amount must be no more than 999,999.99', {
      code: 'amount_too_large',
      param: param(names.amount),
    });
}

function metadataOf(form: Form): Record<string, string> {
  const metadata = formOf(form, 'metadata') as Record<string, string>;
  const pairs = Object.entries(metadata);
  if (pairs.length > 50) throw invalid('Metadata can have at most 50 keys', { param: 'metadata' });
  for (const [key, value] of pairs) {
    if (key.length > 40 || String(value).length > 500)
      throw invalid('Metadata is too long', { param: `metadata[${key}]` });
  }
  return metadata;
}
