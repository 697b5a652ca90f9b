import { type Static, Type } from '@vid/kernel'

/** A file that can be fetched, as it is kept. */
export const OutputSchema = Type.Object({
  /** 256 random bits. */
  token: Type.String(),
  /** Absolute. */
  path: Type.String(),
  /** Name for the one who fetches it. */
  name: Type.String(),
  /** MIME type. */
  type: Type.String(),
  bytes: Type.Integer({ minimum: 0 }),
  /** SHA-256. */
  digest: Type.String(),
  /** What distinguishes the file from one that replaced it. */
  mark: Type.Optional(Type.String()),
  /** When it is deleted: milliseconds since 1970. */
  expiresMs: Type.Number(),
})
/** A file that can be fetched. */
export type Output = Readonly<Static<typeof OutputSchema>>
