import { CountSchema, type EventsOf, errorEvent, Nullable, Type } from '@vid/protocol'

/** The events of `vid container`. */
export const containerEvents = [
  Type.Object({
    type: Type.Literal('container-image'),
    /** Whether it was built now. */
    built: Type.Boolean(),
    engine: Type.Object({ kind: Type.String(), version: Type.String(), program: Type.String() }),
    image: Type.Object({
      /** Name and tag; null where there is nothing to build it from. */
      reference: Nullable(Type.String()),
      /** Digest of its content; null, like what follows, as long as it is not built. */
      id: Nullable(Type.String()),
      platform: Nullable(Type.String()),
      bytes: Nullable(CountSchema),
      layers: Nullable(CountSchema),
      created: Nullable(Type.String()),
    }),
  }),
  errorEvent('container-error'),
] as const

declare module '@vid/protocol' {
  interface VidEvents extends EventsOf<typeof containerEvents> {}
}
