import { type Static, Type } from '@vid/protocol'
import { ChunkSettingsSchema, LambdaRequestSchema } from '../contract/execution-input.ts'

/** The config of a render; every field is optional. */
export const RenderConfigSchema = Type.With(
  Type.Partial(
    Type.Object({
      ...LambdaRequestSchema.properties,
      ...ChunkSettingsSchema.properties,
      /** Variable values; they are part of the execution's input, and so of its size limit. */
      variables: Type.Record(Type.String(), Type.Unknown()),
      /** JSON file with variable values, in place of `variables`; it may be larger than the input. */
      variablesFile: Type.String({ minLength: 1 }),
      /** Whether finished segments of earlier renders may be reused; true if left out. */
      reuse: Type.Boolean(),
      /** Whether an hls video is published in the bucket while it is rendered; true if left out. */
      growing: Type.Boolean(),
    }),
  ),
  { additionalProperties: false },
)
export type RenderConfig = Static<typeof RenderConfigSchema>
