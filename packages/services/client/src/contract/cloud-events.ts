import { CountSchema, type EventsOf, errorEvent, Type } from '@vid/protocol'
import {
  CloudOutputSchema,
  CloudPublicationSchema,
  CloudRecordSchema,
  CloudStatusSchema,
  CloudUserSchema,
} from './cloud-replies.ts'

const TextOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

/** A render of the hosted API without its signed addresses, which would let every reader of a log fetch the video. */
const ADDRESSES = ['video_url', 'thumbnail_url', 'poster_url', 'playlist_url'] as const
const RenderSchema = Type.Object({
  ...Type.Omit(CloudRecordSchema, [...ADDRESSES, 'outputs']).properties,
  outputs: Type.Optional(Type.Union([Type.Array(Type.Omit(CloudOutputSchema, ADDRESSES)), Type.Null()])),
})

/** The events of `vid cloud`, `vid auth` and `vid publish`. */
export const cloudEvents = [
  Type.Object({ type: Type.Literal('cloud-upload'), sentBytes: CountSchema, totalBytes: CountSchema }),
  Type.Object({ type: Type.Literal('cloud-submit'), render_id: Type.String(), status: CloudStatusSchema }),
  Type.Object({ type: Type.Literal('cloud-progress'), render: RenderSchema }),
  Type.Object({
    type: Type.Literal('cloud-playlist'),
    render_id: Type.String(),
    /** Signed: who has it can play the video. */
    playlist_url: Type.String(),
  }),
  Type.Object({
    type: Type.Literal('cloud-complete'),
    /** Absolute. */
    outputPath: Type.String(),
    fileSize: CountSchema,
    /** Absolute; left out without a poster. */
    posterPath: Type.Optional(Type.String()),
    render: RenderSchema,
  }),
  /** With freshly signed addresses. */
  Type.Object({ type: Type.Literal('cloud-render'), render: CloudRecordSchema }),
  Type.Object({
    type: Type.Literal('cloud-list'),
    renders: Type.Array(RenderSchema),
    has_more: Type.Boolean(),
    next_token: TextOrNull('what fetches the next page'),
  }),
  Type.Object({ type: Type.Literal('cloud-delete'), render_id: Type.String() }),
  Type.Object({
    type: Type.Literal('auth-status'),
    /** Address of the API. */
    url: Type.String(),
    /** Name of a variable, or path of the file. */
    source: Type.String(),
    expires_at: TextOrNull('when the token expires, ISO 8601; null for a key'),
    user: CloudUserSchema,
  }),
  Type.Object({
    type: Type.Literal('auth-login'),
    url: Type.String(),
    path: Type.String(),
    user: CloudUserSchema,
  }),
  Type.Object({
    type: Type.Literal('auth-refresh'),
    url: Type.String(),
    expires_at: TextOrNull('when the new token expires, ISO 8601'),
  }),
  Type.Object({ type: Type.Literal('auth-logout'), removed: Type.Boolean(), path: Type.String() }),
  Type.Object({ type: Type.Literal('publish-complete'), publication: CloudPublicationSchema }),
  Type.Object({ type: Type.Literal('publish-list'), publications: Type.Array(CloudPublicationSchema) }),
  Type.Object({ type: Type.Literal('publish-remove'), publication_id: Type.String() }),
  errorEvent('cloud-error'),
  errorEvent('auth-error'),
  errorEvent('publish-error'),
] as const

declare module '@vid/protocol' {
  interface VidEvents extends EventsOf<typeof cloudEvents> {}
}
