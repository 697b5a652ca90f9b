import type { Output } from '../outputs/output.ts'

/** What a reply says of a file that can be fetched; of none when `output` is undefined. */
export const outputFacts = (output: Output | undefined) =>
  output
    ? {
        outputToken: output.token,
        outputUrl: `/outputs/${output.token}`,
        expiresAt: new Date(output.expiresMs).toISOString(),
        fileSize: output.bytes,
        digest: output.digest,
      }
    : { outputToken: null, outputUrl: null, expiresAt: null, fileSize: 0, digest: null }
