import Type from 'typebox';

export const ENVIRONMENTS = ['live', 'sandbox'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

export const EnvironmentSchema = Type.Enum(ENVIRONMENTS);
