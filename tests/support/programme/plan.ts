import type { CreatePaymentBody } from '@tollgate/contracts/payments/payment';
import type { Environment } from '@tollgate/contracts/platform/environment';
import type { Random } from './random.ts';

/** A payment that an application wants. Its name is unique, and is the reference of the payment. */
export interface Order {
  name: string;
  /** Index of the integration. */
  integration: number;
  body: CreatePaymentBody;
  idempotencyKey: string | undefined;
  /** Whether the payment stays pending until it is canceled or settled. */
  isHeld: boolean;
}

/** What the driver does next. Orders and keys are named, and integrations are indices. */
export type Operation =
  | { kind: 'create' | 'repeat' | 'read' | 'cancel' | 'settle'; order: string }
  | { kind: 'list'; integration: number }
  | { kind: 'create-key'; key: string; integration: number }
  | { kind: 'use-key' | 'revoke-key'; key: string };

export type OperationKind = Operation['kind'];

export interface Plan {
  /** Draws the next operation. The order of operations depends on the seed only. */
  next(): Operation;
  /** Every order that has been drawn so far. */
  orders: ReadonlyMap<string, Order>;
}

/** How often each kind of operation is drawn, relative to the others. */
export type Shares = Record<OperationKind, number>;

const SHARES: Shares = {
  create: 40,
  repeat: 13,
  read: 15,
  cancel: 12,
  settle: 3,
  list: 4,
  'create-key': 3,
  'use-key': 8,
  'revoke-key': 2,
};

/** In the sandbox, by what they do. Payments with `acme_card` are those of the adapter. */
const METHODS = ['pm_succeed', 'pm_decline', 'pm_hold', 'acme_card', 'acme_card'];
const CURRENCIES = ['EUR', 'USD'];
const KEYLESS_SHARE = 0.15;
/** Recent orders are more interesting: their payments are in progress. The others are so many in a row from any time. */
const ORDERS_TO_PICK_FROM = 30;
const RECENT_SHARE = 0.8;
/** Half of all uses try one of the keys that were revoked last, which a gateway may not know yet. */
const REVOKED_SHARE = 0.5;
const REVOKED_KEYS_TO_PICK_FROM = 10;

/** What the payer of an order does at the processor of the adapter. */
export function payerDecision(amount: number): 'approve' | 'decline' | 'nothing' {
  return amount % 4 === 0 ? 'nothing' : amount % 4 === 1 ? 'decline' : 'approve';
}

export function createPlan(
  random: Random,
  integrations: readonly { environment: Environment }[],
  shares: Partial<Shares> = {},
): Plan {
  const kinds = Object.entries({ ...SHARES, ...shares }).flatMap(([kind, share]) =>
    Array.from({ length: share }, () => kind as OperationKind),
  );
  const orders = new Map<string, Order>();
  const inOrder: Order[] = [];
  const keys: string[] = [];
  const revokedKeys: string[] = [];

  function newOrder(): Order {
    const name = `order-${orders.size + 1}`;
    const integration = random.int(0, integrations.length - 1);
    const isLive = integrations[integration]?.environment === 'live';
    const amount = random.int(1, 100_000);
    const method = isLive ? null : random.pick(METHODS);
    const isAdapters = method === 'acme_card';
    // Live applications require an idempotency key.
    const isKeyed = isLive || !random.chance(KEYLESS_SHARE);
    const order: Order = {
      name,
      integration,
      body: {
        amount,
        currency: isAdapters ? 'EUR' : random.pick(CURRENCIES),
        reference: name,
        ...(method !== null && { payment_method: method }),
      },
      idempotencyKey: isKeyed ? name : undefined,
      isHeld: isLive || method === 'pm_hold' || (isAdapters && payerDecision(amount) === 'nothing'),
    };
    orders.set(name, order);
    inOrder.push(order);
    return order;
  }

  function earlierOrder(matches: (order: Order) => boolean): Order | undefined {
    const first = random.chance(RECENT_SHARE)
      ? Math.max(0, inOrder.length - ORDERS_TO_PICK_FROM)
      : random.int(0, Math.max(0, inOrder.length - 1));
    const candidates = inOrder.slice(first, first + ORDERS_TO_PICK_FROM).filter(matches);
    return candidates.length === 0 ? undefined : random.pick(candidates);
  }

  const isLive = ({ integration }: Order) => integrations[integration]?.environment === 'live';
  const eligible: Partial<Record<OperationKind, (order: Order) => boolean>> = {
    repeat: ({ idempotencyKey }) => idempotencyKey !== undefined,
    read: () => true,
    cancel: ({ isHeld }) => isHeld || random.chance(0.3),
    settle: isLive,
  };

  function keyToUse(): string | undefined {
    const candidates = random.chance(REVOKED_SHARE) ? revokedKeys.slice(-REVOKED_KEYS_TO_PICK_FROM) : keys;
    return candidates.length === 0 ? keys.at(-1) : random.pick(candidates);
  }

  function keyToRevoke(): string | undefined {
    const candidates = keys.filter((key) => !revokedKeys.includes(key));
    if (candidates.length === 0) return undefined;
    const key = random.pick(candidates);
    revokedKeys.push(key);
    return key;
  }

  return {
    orders,
    next() {
      const kind = random.pick(kinds);
      const integration = random.int(0, integrations.length - 1);
      if (kind === 'list') return { kind, integration };
      if (kind === 'create-key') {
        const key = `key-${keys.length + 1}`;
        keys.push(key);
        return { kind, key, integration };
      }
      if (kind === 'use-key' || kind === 'revoke-key') {
        const key = kind === 'use-key' ? keyToUse() : keyToRevoke();
        if (key !== undefined) return { kind, key };
      } else if (kind !== 'create') {
        const order = earlierOrder(eligible[kind] ?? (() => true));
        if (order !== undefined) return { kind, order: order.name };
      }
      return { kind: 'create', order: newOrder().name };
    },
  };
}
