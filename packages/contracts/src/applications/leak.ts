import Type, { type Static } from 'typebox';
import { Nullable, Time } from '../platform/schema.ts';

export const LEAK_LIMITS = {
  /** Longer ones are cut off: a link to a line of a file in a deep folder is below 500 characters. */
  url: 2_048,
  /** The longest name of a source is `pull_request_description`. */
  source: 64,
} as const;

/** Where a secret scanner found a credential in public. */
export const Leak = Type.Object({
  at: Time,
  url: Nullable(Type.String(), 'Where the credential was found; null if the scanner did not say'),
  source: Nullable(Type.String(), 'Kind of place, such as `commit`; null if the scanner did not say'),
});
export type Leak = Static<typeof Leak>;

/** The report of a leak as the gateway passes it on. */
export const LeakReport = {
  url: Nullable(Type.String({ maxLength: LEAK_LIMITS.url })),
  source: Nullable(Type.String({ maxLength: LEAK_LIMITS.source })),
};

/** What happens to a leaked API key: it is revoked, or it keeps working and members are warned. */
export const LEAKED_KEY_POLICIES = ['revoke', 'flag'] as const;
export type LeakedKeyPolicyName = (typeof LEAKED_KEY_POLICIES)[number];

/** The policy of a team that never chose one. GitHub recommends to treat every reported credential as compromised. */
export const DEFAULT_LEAKED_KEY_POLICY: LeakedKeyPolicyName = 'revoke';

export const LeakedKeyPolicy = Type.Object({
  policy: Type.Enum(LEAKED_KEY_POLICIES),
  version: Type.Integer({ minimum: 1 }),
});
export type LeakedKeyPolicy = Static<typeof LeakedKeyPolicy>;
