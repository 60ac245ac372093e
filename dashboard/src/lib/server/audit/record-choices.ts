import { AUDIT_ACTIONS, AUDIT_TARGETS } from '@tollgate/contracts/audit/audit';
import { ENVIRONMENTS } from '@tollgate/contracts/platform/environment';
import { actionGroups, TARGET_LABELS } from './action-groups.ts';
import type { FilterLabels, TypedRecordFilters } from './record-filters.ts';

interface Choice {
  value: string;
  label: string;
}
interface ChoiceGroup {
  label: string;
  options: Choice[];
}

export interface RecordChoices {
  actors: (Choice | ChoiceGroup)[];
  actions: ChoiceGroup[];
  targets: Choice[];
  applications: Choice[];
  environments: Choice[];
}

const ACTOR_KINDS: Choice[] = [
  { value: 'member', label: 'Any member' },
  { value: 'token', label: 'Any API token' },
  { value: 'key', label: 'Any API key' },
  { value: 'processor', label: 'Any processor' },
  { value: 'system', label: 'System or unauthenticated' },
];
const ENVIRONMENT_LABELS = { live: 'Live', sandbox: 'Sandbox' };

/**
 * The options of each filter. A filter that is set to another value, such as one key, also offers that value by its id.
 */
export function recordChoices(
  typed: TypedRecordFilters,
  people: { members: { id: string; name: string }[]; applications: { id: string; name: string }[] },
): RecordChoices {
  const members = people.members.map(({ id, name }) => ({ value: id, label: name }));
  const targets = AUDIT_TARGETS.map((type) => ({ value: type, label: TARGET_LABELS[type] }));
  const applications = people.applications.map(({ id, name }) => ({ value: id, label: name }));
  return {
    actors: [
      ...withChosen(ACTOR_KINDS, typed.actor, members),
      ...(members.length > 0 ? [{ label: 'Members', options: members }] : []),
    ],
    actions: actionGroups(),
    targets: withChosen(targets, typed.target),
    applications: withChosen(applications, typed.application),
    environments: ENVIRONMENTS.map((value) => ({ value, label: ENVIRONMENT_LABELS[value] })),
  };
}

function withChosen(choices: Choice[], chosen: string, elsewhere: Choice[] = []): Choice[] {
  const isOffered = [...choices, ...elsewhere].some(({ value }) => value === chosen);
  return chosen === '' || isOffered ? choices : [...choices, { value: chosen, label: chosen }];
}

/** Labels of the options by value. */
export function choiceLabels({ actors, targets, applications, environments }: RecordChoices): FilterLabels {
  const labels = (choices: (Choice | ChoiceGroup)[]) =>
    new Map(
      choices
        .flatMap((choice) => ('options' in choice ? choice.options : [choice]))
        .map(({ value, label }) => [value, label]),
    );
  return {
    actor: labels(actors),
    action: new Map(Object.entries(AUDIT_ACTIONS)),
    target: labels(targets),
    application: labels(applications),
    environment: labels(environments),
  };
}
