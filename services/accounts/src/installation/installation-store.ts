import type { SignedAuditEntry } from '@tollgate/contracts/audit/audit';
import { wroteUnlessDuplicate } from '@tollgate/store/duplicate-key';
import { type Connection, Schema } from 'mongoose';
import type { Member } from '../members/member.ts';
import {
  FIRST_EMAIL_SLOT,
  type MemberDocument,
  toMember,
  toMemberDocument,
} from '../members/member-document.ts';
import type { Team } from '../teams/team.ts';
import { type TeamDocument, toTeam, toTeamDocument } from '../teams/team-document.ts';

/** The first team and its owner, as the setup created them. */
export interface Foundation {
  team: Team;
  owner: Member;
  audit: SignedAuditEntry[];
}

/** The single document of the collection `installation`. Inserting it claims the setup. */
interface InstallationDocument {
  _id: 'installation';
  set_up_at: Date;
  /** Present until both are stored as documents of their own. */
  foundation?: { team: TeamDocument; owner: MemberDocument };
}

export interface InstallationStore {
  isSetUp(): Promise<boolean>;
  /** The write that decides the setup. False when another request was first; nothing is stored then. */
  claim(foundation: Foundation, now: Date): Promise<boolean>;
  /** The setup that a crash interrupted after the claim; null when there is none. */
  findUnfinished(): Promise<Foundation | null>;
  finish(): Promise<void>;
}

const ID = 'installation';

const schema = new Schema<InstallationDocument>(
  {
    _id: { type: String, required: true },
    set_up_at: { type: Date, required: true },
    foundation: { type: Schema.Types.Mixed },
  },
  { collection: 'installation', versionKey: false, minimize: false, strict: 'throw', autoCreate: false },
);

export function createInstallationStore(connection: Connection): InstallationStore {
  const model = connection.model<InstallationDocument>('Installation', schema);

  return {
    async isSetUp() {
      return (await model.exists({ _id: ID })) !== null;
    },

    async claim({ team, owner, audit }, now) {
      const foundation = {
        team: toTeamDocument(team, audit),
        owner: toMemberDocument(owner, FIRST_EMAIL_SLOT),
      };
      return wroteUnlessDuplicate(model.create([{ _id: ID, set_up_at: now, foundation }]));
    },

    async findUnfinished() {
      const document = await model.findOne({ _id: ID }).lean();
      if (!document?.foundation) return null;
      const { team, owner } = document.foundation;
      return { team: toTeam(team), owner: toMember(owner), audit: team.outbox };
    },

    async finish() {
      await model.updateOne({ _id: ID }, { $unset: { foundation: true } });
    },
  };
}
