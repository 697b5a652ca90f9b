import { type Static, schemaProblems, type TSchema } from '@vid/protocol'

/** Whether a value fits a schema, which then is its type. */
export const isMatching = <S extends TSchema>(schema: S, value: unknown): value is Static<S> =>
  schemaProblems(schema, value).length === 0
