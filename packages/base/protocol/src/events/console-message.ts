import type { DeepReadonly } from '../readonly.ts'
import { type Static, Type } from '../schema.ts'

/** What a page wrote to its console. */
export const ConsoleMessageSchema = Type.Object({
  level: Type.Union([Type.Literal('log'), Type.Literal('info'), Type.Literal('warn'), Type.Literal('error')]),
  /** Its arguments as text, cut when it is long. */
  text: Type.String(),
  /** How often one page of the render wrote it, at most: several pages load the same composition. */
  count: Type.Integer({ minimum: 1 }),
})
export type ConsoleMessage = DeepReadonly<Static<typeof ConsoleMessageSchema>>
