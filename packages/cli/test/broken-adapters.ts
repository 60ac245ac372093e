/** A mistake in the example adapter, and the checks that find it. */
interface BrokenAdapter {
  /** Each text of the example, and what takes its place. */
  changes: [from: string, to: string][];
  fails: string[];
}

const CREATE = '{ order: id, amount, currency, return_url }';
/** The beginning of the request that cancels. */
const CANCEL = "const response = await call('POST', `";
const CANCELED = 'return stateOf(await response.json(), started.payment);';
const IS_FORGED = 'received.length !== expected.length || !timingSafeEqual(received, expected)';
const MONEY = "status: 'succeeded', reference: id, amount, currency";
const IS_UNKNOWN_ERROR = 'if (!response.ok && response.status !== 422)';
const IS_OF_ANOTHER = 'if (order !== payment.id)';
const FAILED = "{ status: 'failed', reference: null, failure: { code: 'error', message: 'Error.' } }";

export const BROKEN_ADAPTERS: Record<string, BrokenAdapter> = {
  'cancels nothing, and reports canceled': {
    changes: [[CANCEL, `return { status: 'canceled', reference };\n${CANCEL}`]],
    fails: [
      'keeps a canceled payment canceled',
      'lets nobody pay a canceled payment',
      'does not report a payment as canceled that its payer has just paid',
      'cancels a payment at the processor when the response to its start was lost',
    ],
  },
  'cancels nothing, and remembers that it reported canceled': {
    changes: [
      [CANCEL, `canceled.add(reference); return { status: 'canceled', reference };\n${CANCEL}`],
      [
        'async status({ payment, reference, firstStartedAt }, { signal }) {',
        "async status({ payment, reference, firstStartedAt }, { signal }) { if (canceled.has(reference)) return { status: 'canceled', reference };",
      ],
      ['return defineAdapter(', 'const canceled = new Set(); return defineAdapter('],
    ],
    fails: [
      'keeps a canceled payment canceled',
      'lets nobody pay a canceled payment',
      'does not report a payment as canceled that its payer has just paid',
      'cancels a payment at the processor when the response to its start was lost',
    ],
  },
  'reports every cancellation as canceled': {
    changes: [[CANCELED, "return { status: 'canceled', reference };"]],
    fails: ['does not report a payment as canceled that its payer has just paid'],
  },
  'cancels nothing when the response to the start was lost': {
    changes: [
      [CANCEL, `if (started.reference === null) return { status: 'canceled', reference: null };\n${CANCEL}`],
      [
        'const { reference } = await this.status(started, { signal });',
        'const reference = started.reference;',
      ],
    ],
    fails: ['cancels a payment at the processor when the response to its start was lost'],
  },
  'sends a new idempotency key with each start': {
    changes: [
      [CREATE, CREATE.replace('order: id', 'order: id + crypto.randomUUID()')],
      [IS_OF_ANOTHER, 'if (!order?.startsWith(payment.id))'],
    ],
    fails: ['creates one payment at the processor when the response of the processor is lost'],
  },
  'creates another payment when a start is repeated': {
    changes: [
      [
        'async status({ payment, reference, firstStartedAt }, { signal }) {',
        "async status({ payment, reference, firstStartedAt }, { signal }) { await call('POST', '/checkouts', signal, { ...payment, order: crypto.randomUUID() });",
      ],
    ],
    fails: ['creates one payment at the processor when it is started 5 times at once'],
  },
  'accepts a webhook with any signature': {
    changes: [[IS_FORGED, "!headers['acme-signature']"]],
    fails: ['rejects a webhook with a wrong signature'],
  },
  'accepts a webhook without a signature': {
    changes: [[IS_FORGED, `headers['acme-signature'] && (${IS_FORGED})`]],
    fails: ['rejects a webhook without a signature'],
  },
  'rejects the webhooks of the processor': {
    changes: [[IS_FORGED, 'true']],
    fails: [
      'reports with a callback that a payment succeeded',
      'reports with a callback that a payment failed',
      'repeats a callback that was not accepted with the same id',
      'reports a refund with a callback, and when it is asked again',
      'accepts a webhook of the processor',
    ],
  },
  'sends a hundred times the amount': {
    changes: [
      [CREATE, CREATE.replace('amount', 'amount: amount * 100')],
      [MONEY, MONEY.replace('amount', 'amount: amount / 100')],
    ],
    fails: ['asks the processor for the amount of the payment, also in JPY and KWD'],
  },
  'converts each currency as if it had two decimals': {
    changes: [
      [CREATE, CREATE.replace('amount', 'amount: amount / 100')],
      [MONEY, MONEY.replace('amount', 'amount: amount * 100')],
    ],
    fails: ['asks the processor for the amount of the payment, also in JPY and KWD'],
  },
  'reports JPY as if it had two decimals': {
    changes: [[MONEY, MONEY.replace('amount', "amount: currency === 'JPY' ? amount * 100 : amount")]],
    fails: ['reports the amount and the currency that have moved, also in JPY and KWD'],
  },
  'reports KWD as if it had two decimals': {
    changes: [[MONEY, MONEY.replace('amount', "amount: currency === 'KWD' ? amount / 10 : amount")]],
    fails: ['reports the amount and the currency that have moved, also in JPY and KWD'],
  },
  'reports the amount that Tollgate asked for': {
    changes: [[MONEY, MONEY.replace('amount', 'amount: payment.amount')]],
    fails: ['does not report a part of the amount as the whole'],
  },
  'reports the currency that Tollgate asked for': {
    changes: [[MONEY, MONEY.replace('currency', 'currency: payment.currency')]],
    fails: ['does not report another currency as that of the payment'],
  },
  'does not compare the payment': {
    changes: [[IS_OF_ANOTHER, 'if (!order)']],
    fails: ['does not report the money of another payment'],
  },
  'takes each error of the processor for a rejection': {
    changes: [
      [IS_UNKNOWN_ERROR, 'if (false)'],
      ['if (response.status === 422)', 'if (!response.ok)'],
    ],
    fails: [
      'decides nothing while the processor responds with 401',
      'decides nothing while the processor responds with 429',
      'decides nothing while the processor responds with 503',
    ],
  },
  'takes a lost response for a rejection': {
    changes: [[`${CREATE});`, `${CREATE}).catch(() => ({ status: 422 }) as Response);`]],
    fails: [
      'creates one payment at the processor when the response of the processor is lost',
      'cancels a payment at the processor when the response to its start was lost',
      'decides nothing while the processor closes connections',
      'decides nothing while the processor responds with 401',
      'decides nothing while the processor responds with 429',
      'decides nothing while the processor responds with 503',
    ],
  },
  'takes an unknown status for a failure': {
    changes: [['default:', `default: return ${FAILED};`]],
    fails: ['decides nothing while the processor responds with words that the adapter does not know'],
  },
  'takes an empty response for a failure': {
    changes: [[IS_OF_ANOTHER, `if (!order) return ${FAILED};\n  ${IS_OF_ANOTHER}`]],
    fails: ['decides nothing while the processor responds with an empty object'],
  },
};
