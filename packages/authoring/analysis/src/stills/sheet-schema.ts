import { type DeepReadonly, IndexSchema, Nullable, type Static, Type } from '@vid/protocol'

const Seconds = Type.Number({ minimum: 0 })
const Pixels = Type.Integer({ minimum: 1 })

/** What `vid sheet` has drawn. */
export const SheetSchema = Type.Object({
  type: Type.Literal('sheet'),
  /** Absolute paths of the PNGs, and their sizes. */
  pages: Type.Array(Type.Object({ path: Type.String(), width: Pixels, height: Pixels })),
  /** In the order of the sheet. */
  tiles: Type.Array(
    Type.Object({
      frame: IndexSchema,
      time: Seconds,
      /** Why it is shown; empty where its time was asked for. */
      note: Type.String(),
      /** Row of the batch, counted from 0; null without one. */
      row: Nullable(IndexSchema),
    }),
  ),
})

/** What a sheet shows, and where its pages are. */
export type DrawnSheet = Omit<DeepReadonly<Static<typeof SheetSchema>>, 'type'>
