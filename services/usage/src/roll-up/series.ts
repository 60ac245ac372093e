import type { Environment } from '@tollgate/contracts/platform/environment';

/** The application and environment whose usage a document holds. */
export interface Series {
  teamId: string;
  applicationId: string;
  environment: Environment;
}

/** A document of a series, by its start in ms since the epoch. */
export interface SeriesPeriod extends Series {
  documentMs: number;
}

export function seriesPeriodId({ applicationId, environment, documentMs }: SeriesPeriod): string {
  return `${applicationId}/${environment}/${new Date(documentMs).toISOString()}`;
}
