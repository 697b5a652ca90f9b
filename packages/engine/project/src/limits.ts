/** How much a project may hold. */
export interface ProjectLimits {
  /** Files and folders. */
  readonly entries: number
  /** Bytes of one file. */
  readonly fileBytes: number
  /** Bytes of all files. */
  readonly bytes: number
  /** Folders inside each other, the file counted too. */
  readonly depth: number
  /** Bytes that a zip may unpack to for each of its own bytes, once they are more than 64 MiB. */
  readonly ratio: number
}

const GIB = 1024 ** 3

/** The limits that hold where a caller gives no others. */
export const projectLimits: ProjectLimits = {
  entries: 50_000,
  fileBytes: 4 * GIB,
  bytes: 8 * GIB,
  depth: 32,
  ratio: 200,
}

/** What every zip may unpack to, however small it is. */
export const FREE_BYTES = 64 * 1024 ** 2
