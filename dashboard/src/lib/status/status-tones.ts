export type StatusTone = 'good' | 'busy' | 'warn' | 'bad' | 'neutral';

/**
 * The tone of every state that a badge shows. States with the same meaning have the same tone, whatever they belong to.
 * A badge that is not a state, such as "Test" or a role, chooses its own tone.
 */
const STATUS_TONES = {
  // Works, or ended as intended.
  active: 'good',
  available: 'good',
  enabled: 'good',
  on: 'good',
  resolved: 'good',
  succeeded: 'good',
  // In progress: the next step happens without a member.
  pending: 'busy',
  processing: 'busy',
  // Works in part, or waits for a person.
  action_required: 'warn',
  client_error: 'warn',
  paused: 'warn',
  rotating: 'warn',
  unresolved: 'warn',
  // Failed, or a member must act.
  disabled_by_platform: 'bad',
  failed: 'bad',
  failing: 'bad',
  leaked: 'bad',
  server_error: 'bad',
  unavailable: 'bad',
  // Ended or off on purpose: nothing to do.
  aborted: 'neutral',
  archived: 'neutral',
  canceled: 'neutral',
  disabled: 'neutral',
  expired: 'neutral',
  off: 'neutral',
  revoked: 'neutral',
  skipped: 'neutral',
  unknown: 'neutral',
} as const satisfies Record<string, StatusTone>;

export type Status = keyof typeof STATUS_TONES;

/** The tone of a state. A state that only a later release knows is neutral. */
export function toneOf(status: string): StatusTone {
  return Object.hasOwn(STATUS_TONES, status) ? STATUS_TONES[status as Status] : 'neutral';
}
