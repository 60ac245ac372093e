import { wroteUnlessDuplicate } from '@tollgate/store/duplicate-key';
import { optionalShape, RECORD_OPTIONS } from '@tollgate/store/schema/fields';
import { type Connection, type InferRawDocType, Schema } from 'mongoose';
import type { Member } from '../members/member.ts';
import type { Team } from '../teams/team.ts';

/** The first team, with its audit entries, and its owner, as the setup created them. */
export interface Foundation {
  team: Team;
  owner: Member;
}

const ID = 'installation';

/** The single document of the collection. Inserting it claims the setup. */
const definition = {
  _id: { type: String, required: true },
  set_up_at: { type: Date, required: true },
  /** Present until both are stored as documents of their own. */
  foundation: optionalShape<Foundation>(),
} as const;
type Installation = InferRawDocType<typeof definition>;

export function createInstallationStore(connection: Connection) {
  const schema = new Schema(definition, { ...RECORD_OPTIONS, collection: 'installation' });
  const model = connection.model<Installation>('Installation', schema);

  return {
    async isSetUp(): Promise<boolean> {
      return (await model.exists({ _id: ID })) !== null;
    },

    /** The write that decides the setup. False when another request was first; nothing is stored then. */
    claim: (foundation: Foundation, now: Date): Promise<boolean> =>
      wroteUnlessDuplicate(model.create([{ _id: ID, set_up_at: now, foundation }])),

    /** The setup that a crash interrupted after the claim; null when there is none. */
    async findUnfinished(): Promise<Foundation | null> {
      const document = await model.findOne({ _id: ID }).lean<Installation>();
      return document?.foundation ?? null;
    },

    async finish(): Promise<void> {
      await model.updateOne({ _id: ID }, { $unset: { foundation: true } });
    },
  };
}
