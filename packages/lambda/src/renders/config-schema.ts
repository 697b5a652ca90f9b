import { type Static, Type } from '@vid/kernel'
import { ChunkSettingsSchema, LambdaRequestSchema } from '../contract/execution-input.ts'

/** What a caller may ask of a render; everything may be left out. */
export const RenderConfigSchema = Type.With(
  Type.Partial(
    Type.Object({
      ...LambdaRequestSchema.properties,
      ...ChunkSettingsSchema.properties,
      /** Values of variables; they are part of the input of the execution, and so of its limit. */
      variables: Type.Record(Type.String(), Type.Unknown()),
      /** A JSON file with values of variables, in place of `variables`; it may be larger than the input. */
      variablesFile: Type.String({ minLength: 1 }),
      /** Whether finished segments of earlier renders may be used; true if left out. */
      reuse: Type.Boolean(),
    }),
  ),
  { additionalProperties: false },
)
export type RenderConfig = Static<typeof RenderConfigSchema>
