import type { EventsOf } from '@vid/protocol'
import { commentEventSchemas } from '../comment-events.ts'
import { editEventSchemas } from '../edit-events.ts'

/** The events of `vid edit` and `vid comments`. */
export const editEvents = [...editEventSchemas, ...commentEventSchemas] as const

declare module '@vid/protocol' {
  interface VidEvents extends EventsOf<typeof editEvents> {}
}
