import type { DownloadableFile } from '../outputs/output.ts'

/** The fields of a reply about a downloadable file; empty if `output` is undefined. */
export const outputFacts = (output: DownloadableFile | undefined) =>
  output
    ? {
        outputToken: output.token,
        outputUrl: `/outputs/${output.token}`,
        expiresAt: new Date(output.expiresMs).toISOString(),
        fileSize: output.bytes,
        digest: output.digest,
      }
    : { outputToken: null, outputUrl: null, expiresAt: null, fileSize: 0, digest: null }
