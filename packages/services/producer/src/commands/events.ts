import { type EventsOf, errorEvent, Type } from '@vid/protocol'

/** The events of `vid producer`. */
export const producerEvents = [
  Type.Object({
    type: Type.Literal('producer-start'),
    /** Such as http://127.0.0.1:9847. */
    url: Type.String(),
    port: Type.Integer({ minimum: 1, maximum: 65535 }),
  }),
  errorEvent('producer-error'),
] as const

declare module '@vid/protocol' {
  interface VidEvents extends EventsOf<typeof producerEvents> {}
}
