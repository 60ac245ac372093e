import Type from 'typebox';
import { SCOPE_NAMES } from './scopes.ts';

export const ScopesSchema = Type.Array(Type.Enum(SCOPE_NAMES), { uniqueItems: true });
