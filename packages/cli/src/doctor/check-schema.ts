import { SCHEMAS } from '@tollgate/configuration/schemas';
import type { DatabaseOwner } from '@tollgate/contracts/platform/databases';
import { type ComparedIndex, compareIndexes } from '@tollgate/store/schema/compare-indexes';
import { indexName } from '@tollgate/store/schema/database-schema';
import { readVersion, SchemaUnreadable, type StoredVersion } from '@tollgate/store/schema/schema-version';
import type { Connection } from '../migrate/connect-database.ts';
import { type Finding, notChecked, ok, problem } from './finding.ts';

/** Compares a database with what this release needs of it. The user of the service suffices. */
export async function checkSchema(connection: Connection, owner: DatabaseOwner): Promise<Finding[]> {
  const schema = SCHEMAS[owner];
  let stored: StoredVersion | null;
  try {
    stored = await readVersion(connection, schema);
  } catch (error) {
    if (!(error instanceof SchemaUnreadable)) throw error;
    return [problem('schema', owner, error.message, 'Do not start this release with this database.')];
  }
  const { indexes, undeclared } = await compareIndexes(connection, schema);
  const namesOf = (wanted: ComparedIndex['state']) =>
    indexes
      .filter(({ state }) => state === wanted)
      .map(({ collection, index }) => `${collection}.${indexName(index)}`)
      .join(', ');
  const [missing, different, building] = [namesOf('missing'), namesOf('different'), namesOf('building')];
  if (stored === null && !indexes.some(({ state }) => state !== 'missing'))
    return [
      notChecked(
        'schema',
        owner,
        'The database has no index yet. The service creates them at its first start.',
      ),
    ];
  const findings: Finding[] = [];
  if (missing !== '') {
    const remedy =
      'Run `tollgate migrate`. A service itself creates only the indexes of small collections, and waits for the others.';
    findings.push(problem('schema', owner, `Missing indexes: ${missing}.`, remedy));
  }
  if (different !== '') {
    const message = `Indexes with another key or other options than this release needs: ${different}.`;
    findings.push(problem('schema', owner, message, 'Drop them, then run `tollgate migrate`.'));
  }
  if (building !== '') findings.push(notChecked('schema', owner, `Being created: ${building}.`));
  if (findings.length > 0) return findings;
  const others =
    undeclared.length === 0
      ? ''
      : ` Nothing declares ${undeclared.map(({ collection, name }) => `${collection}.${name}`).join(', ')}.`;
  return [ok('schema', owner, `Schema ${schema.version}, all ${indexes.length} indexes exist.${others}`)];
}
