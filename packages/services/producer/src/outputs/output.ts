import { type Static, Type } from '@vid/protocol'

/** A downloadable file, as stored. */
export const OutputSchema = Type.Object({
  /** 256 random bits. */
  token: Type.String(),
  /** Absolute path. */
  path: Type.String(),
  /** Download name. */
  name: Type.String(),
  /** MIME type. */
  type: Type.String(),
  bytes: Type.Integer({ minimum: 0 }),
  /** SHA-256. */
  digest: Type.String(),
  /** Distinguishes the file from one that replaced it. */
  mark: Type.Optional(Type.String()),
  /** When it is deleted, in milliseconds since 1970. */
  expiresMs: Type.Number(),
})
/** A downloadable file. */
export type DownloadableFile = Readonly<Static<typeof OutputSchema>>
