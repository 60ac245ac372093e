import type { Environment } from '@tollgate/contracts/environment';

/** Whose usage a document holds. */
export interface Series {
  teamId: string;
  applicationId: string;
  environment: Environment;
}

/** A document of a series; it begins then, ms since the epoch. */
export interface SeriesPeriod extends Series {
  documentMs: number;
}

export function seriesPeriodId({ applicationId, environment, documentMs }: SeriesPeriod): string {
  return `${applicationId}/${environment}/${new Date(documentMs).toISOString()}`;
}
