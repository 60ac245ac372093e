/** Payments whose course the author of the adapter knows. `default` is any payment that the adapter accepts. */
export const SCENARIOS = [
  'default',
  'succeeded',
  'failed',
  'processing',
  'action_required',
  'rejected',
] as const;
export type ScenarioName = (typeof SCENARIOS)[number];

export function isScenarioName(name: string | undefined): name is ScenarioName {
  return SCENARIOS.includes(name as ScenarioName);
}
