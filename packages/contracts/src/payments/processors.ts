import Type, { type Static } from 'typebox';
import { Nullable, Time } from '../platform/schema.ts';
import { MAX_COUNTED_PAYMENTS } from './counted-payments.ts';
import { PROCESSOR_STATUSES } from './payment.ts';

/** The built-in processor whose payments members settle. */
export const MANUAL_PROCESSOR = 'manual';
/** The built-in processor that simulates outcomes. */
export const SANDBOX_PROCESSOR = 'sandbox';

export const PROCESSOR_LIMITS = {
  name: 32,
  /** Adapters that one installation can have. */
  adapters: 50,
  /** A payment keeps its newest calls, up to this number. */
  storedCalls: 20,
  /** Characters of a stored error. A longer one is cut. */
  callError: 500,
} as const;

export const CallError = Type.String({ maxLength: PROCESSOR_LIMITS.callError });

/** One call to a payment's processor. Contains neither credentials nor the payer's data. */
export const ProcessorCall = Type.Object({
  at: Time,
  call: Type.Enum(['start', 'status', 'cancel', 'callback'] as const),
  duration_ms: Type.Integer({ minimum: 0 }),
  /** The status that the processor reported; null when it reported none. */
  status: Nullable(Type.Enum(PROCESSOR_STATUSES)),
  /** Why it reported none. */
  error: Nullable(CallError),
});
export type ProcessorCall = Static<typeof ProcessorCall>;

/** A processor, as one instance of payments knows it. */
export const ProcessorHealth = Type.Object({
  name: Type.String({ maxLength: PROCESSOR_LIMITS.name }),
  /** Part of Tollgate: the sandbox, or settlement by members. */
  is_built_in: Type.Boolean(),
  /** False while calls are suspended because they failed. */
  is_available: Type.Boolean(),
  last_success_at: Nullable(Time, 'Time of the last call that the processor responded to'),
  last_error: Nullable(
    Type.Object({ at: Time, call: ProcessorCall.properties.call, message: CallError }),
    'The last call that failed; null if none failed since the instance started',
  ),
  /** Payments of the team that are pending or processing, up to 1,000. */
  open_payments: Type.Integer({ minimum: 0, maximum: MAX_COUNTED_PAYMENTS }),
  /** Those that have been processing for too long, up to 1,000. */
  stuck_payments: Type.Integer({ minimum: 0, maximum: MAX_COUNTED_PAYMENTS }),
  /** Those that the processor reports otherwise and that nobody has resolved, without refunds, up to 1,000. */
  differing_payments: Type.Integer({ minimum: 0, maximum: MAX_COUNTED_PAYMENTS }),
});
export type ProcessorHealth = Static<typeof ProcessorHealth>;
