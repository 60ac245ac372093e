import AppWindow from '@lucide/svelte/icons/app-window';
import ChartColumn from '@lucide/svelte/icons/chart-column';
import CreditCard from '@lucide/svelte/icons/credit-card';
import House from '@lucide/svelte/icons/house';
import Landmark from '@lucide/svelte/icons/landmark';
import ListTree from '@lucide/svelte/icons/list-tree';
import ScrollText from '@lucide/svelte/icons/scroll-text';
import UserRound from '@lucide/svelte/icons/user-round';
import UsersRound from '@lucide/svelte/icons/users-round';
import Webhook from '@lucide/svelte/icons/webhook';
import type { Environment } from '@tollgate/contracts/platform/environment';

export interface Section {
  label: string;
  icon: typeof House;
  href: string;
}

/** The sections of one environment, in the order of the navigation. */
export function environmentSections(environment: Environment): Section[] {
  return [
    { label: 'Home', icon: House, href: `/${environment}` },
    { label: 'Payments', icon: CreditCard, href: `/${environment}/payments` },
    { label: 'Applications', icon: AppWindow, href: `/${environment}/applications` },
    { label: 'Processors', icon: Landmark, href: `/${environment}/processors` },
    { label: 'Webhooks', icon: Webhook, href: `/${environment}/webhooks` },
    { label: 'Requests', icon: ListTree, href: `/${environment}/requests` },
    { label: 'Usage', icon: ChartColumn, href: `/${environment}/usage` },
  ];
}

/** Sections that both environments share. */
export const SHARED_SECTIONS: Section[] = [
  { label: 'Team', icon: UsersRound, href: '/team' },
  { label: 'Audit log', icon: ScrollText, href: '/audit' },
  { label: 'Your account', icon: UserRound, href: '/account' },
];

/** Whether a path lies in a section. The home section contains only itself. */
export function isInSection(path: string, { href }: Section): boolean {
  const isHome = href.lastIndexOf('/') === 0 && !SHARED_SECTIONS.some((shared) => shared.href === href);
  return path === href || (!isHome && path.startsWith(`${href}/`));
}

/** Webhook pages whose address contains no resource of one environment. */
const WEBHOOK_PAGES = new Set(['deliveries', 'events', 'event-types', 'verify']);

/**
 * The corresponding page in the other environment. Both environments share applications, but not payments, webhook
 * endpoints, filters or cursors.
 */
export function inEnvironment(path: string, environment: Environment): string {
  const [, current = '', section, id] = path.split('/');
  if (current !== 'live' && current !== 'sandbox') return `/${environment}`;
  if (section === undefined) return `/${environment}`;
  const isInBoth =
    section === 'applications' ? id !== undefined && id !== 'new' : WEBHOOK_PAGES.has(id ?? '');
  return isInBoth ? `/${environment}/${section}/${id}` : `/${environment}/${section}`;
}
