import { type Static, Type } from '@vid/protocol'
import { RENDER_ID } from './execution-input.ts'

const Digest = Type.String({ pattern: '^[0-9a-f]{64}$' })

/**
 * What players see of an hls video that is rendered: the object `stream.json`. It is replaced before the playlists are,
 * and only by who has read the present one.
 */
export const StreamRecordSchema = Type.Object(
  {
    renderId: Type.String({ pattern: RENDER_ID }),
    /** Key below which the files of the video are. */
    outputKey: Type.String(),
    /** Whether the render has ended, so that nothing more is published before its end. */
    isClosed: Type.Boolean(),
    /** Number of segments of the plan that the playlists list. */
    segments: Type.Integer({ minimum: 0 }),
    /** Texts of the playlists, by name. */
    playlists: Type.Record(Type.String(), Type.String()),
    /** Digests of the other stored files, by name. */
    media: Type.Record(Type.String(), Digest),
  },
  { additionalProperties: false },
)
export type StreamRecord = Static<typeof StreamRecordSchema>
