import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';
import { parse } from 'yaml';

export const MONITORING_DIR = join(CHECKOUT_DIR, 'deploy', 'monitoring');

export interface Alert {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; description: string; runbook_url: string };
}

export interface Panel {
  title: string;
  description: string;
  targets: { expr: string; legendFormat: string }[];
}

export interface Dashboard {
  uid: string;
  title: string;
  panels: Panel[];
}

export function readAlerts(): Alert[] {
  const rules = parse(readFileSync(join(MONITORING_DIR, 'alerts.yml'), 'utf8')) as {
    groups: { rules: Alert[] }[];
  };
  return rules.groups.flatMap((group) => group.rules);
}

/** The names of the alerts that the unit tests expect to fire. */
export function readTestedAlerts(): string[] {
  const { tests } = parse(readFileSync(join(MONITORING_DIR, 'alerts.test.yml'), 'utf8')) as {
    tests: { alert_rule_test: { alertname: string; exp_alerts: object[] }[] }[];
  };
  return tests
    .flatMap((test) => test.alert_rule_test)
    .filter((test) => test.exp_alerts.length > 0)
    .map((test) => test.alertname);
}

export function readDashboards(): (Dashboard & { file: string })[] {
  return globSync('dashboards/*.json', { cwd: MONITORING_DIR }).map((file) => ({
    file: basename(file, '.json'),
    ...(JSON.parse(readFileSync(join(MONITORING_DIR, file), 'utf8')) as Dashboard),
  }));
}
