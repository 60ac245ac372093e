import type { AdapterRule } from '@tollgate/processor-adapter/contract/rules';
import type { ScenarioName } from './scenario-names.ts';
import type { Suite } from './suite.ts';

/** One property of an adapter. */
export interface Check {
  name: string;
  /** The sentence of the contract that a failure breaks, unless the finding names another one. */
  rule: AdapterRule;
  /** Scenario that the check depends on. */
  scenario?: ScenarioName;
  /** Throws Finding or NotTested. */
  run(suite: Suite): Promise<void>;
}
