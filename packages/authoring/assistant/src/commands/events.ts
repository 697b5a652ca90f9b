import { type EventsOf, errorEvent, Type } from '@vid/protocol'

/** The events of `vid mcp` and `vid assistant`. */
export const assistantEvents = [
  Type.Object({
    type: Type.Literal('mcp-start'),
    /** Such as http://127.0.0.1:7400/mcp, and the token that clients send. */
    url: Type.String(),
    port: Type.Integer({ minimum: 1, maximum: 65535 }),
    token: Type.String(),
  }),
  errorEvent('mcp-error'),
  Type.Object({
    type: Type.Literal('assistant-setup'),
    /** Absolute. */
    folder: Type.String(),
    assistants: Type.Array(Type.String()),
    files: Type.Array(
      Type.Object({
        /** Path in the folder. */
        file: Type.String(),
        action: Type.Union(['create', 'change', 'same', 'keep'].map((action) => Type.Literal(action))),
        /** Why it is kept; empty for other actions. */
        reason: Type.String(),
      }),
    ),
    written: Type.Boolean(),
  }),
  errorEvent('assistant-error'),
] as const

declare module '@vid/protocol' {
  interface VidEvents extends EventsOf<typeof assistantEvents> {}
}
