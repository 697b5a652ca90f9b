import { type EventsOf, errorEvent, StateSchema, Type } from '@vid/protocol'
import { BeatsSchema } from './beats/beats-schema.ts'
import { DiffSchema } from './diff/diff-schema.ts'
import { SheetSchema } from './stills/sheet-schema.ts'
import { TimelineSchema } from './timeline/timeline-schema.ts'

/** The events of `vid timeline`, `vid beats`, `vid diff` and `vid sheet`. */
export const analysisEvents = [
  Type.Object({ type: Type.Literal('timeline'), ...TimelineSchema.properties, state: StateSchema }),
  errorEvent('timeline-error'),
  Type.Object({ type: Type.Literal('beats'), ...BeatsSchema.properties }),
  errorEvent('beats-error'),
  Type.Object({ type: Type.Literal('diff'), ...DiffSchema.properties, state: StateSchema }),
  errorEvent('diff-error'),
  Type.Object({ ...SheetSchema.properties, state: StateSchema }),
  errorEvent('sheet-error'),
] as const

declare module '@vid/protocol' {
  interface VidEvents extends EventsOf<typeof analysisEvents> {}
}
