import { type TSchema, Type } from '../schema.ts'

/** A value that may be null. */
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
