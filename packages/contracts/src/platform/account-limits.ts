/** Apart from the schemas, for pages of the dashboard. */
export const ACCOUNT_LIMITS = {
  name: 80,
  /** RFC 5321 §4.5.3.1.3, without the angle brackets. */
  email: 254,
  passwordMin: 12,
  /** Enough for any passphrase. Hashing must not read as much as a request may contain. */
  passwordMax: 256,
  membersPerTeam: 200,
  invitationsPerTeam: 100,
  userAgent: 512,
  /** More than a person has devices and security keys. */
  passkeysPerMember: 10,
} as const;
