import { type Static, Type } from '@vid/protocol'
import { EditEntrySchema } from '../events.ts'

const Digest = Type.String({ pattern: '^[0-9a-f]{64}$' })
const NullableDigest = Type.Union([Digest, Type.Null()])

/** Which entries are in effect, and which were undone, each in the order of writing. */
export const HeadSchema = Type.Object({
  done: Type.Array(Type.Integer({ minimum: 1 })),
  undone: Type.Array(Type.Integer({ minimum: 1 })),
  next: Type.Integer({ minimum: 1 }),
})
export type Head = Static<typeof HeadSchema>

/** What is being written: enough to finish it, or to take it back. */
export const JournalSchema = Type.Object({
  state: Type.Union([Type.Literal('prepare'), Type.Literal('commit')]),
  files: Type.Array(
    Type.Object({
      /** Path in the project. */
      file: Type.String({ minLength: 1, maxLength: 4096 }),
      /** Name of the new content beside it. */
      aside: Type.String({ pattern: '^\\.vid-edit-[0-9a-f-]{36}$' }),
      before: NullableDigest,
      after: NullableDigest,
    }),
  ),
  entry: EditEntrySchema,
  head: HeadSchema,
})
export type EditJournal = Static<typeof JournalSchema>
