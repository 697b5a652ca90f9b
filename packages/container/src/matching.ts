import { type Static, schemaProblems, type TSchema } from '@vid/kernel'

/** Whether a value fits a schema, which then is its type. */
export const isMatching = <S extends TSchema>(schema: S, value: unknown): value is Static<S> =>
  schemaProblems(schema, value).length === 0

/** The value of a JSON text; undefined for anything else. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
