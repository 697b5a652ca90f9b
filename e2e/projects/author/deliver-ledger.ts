import { createHash } from 'node:crypto'
import { appendFile, readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { defineDelivery, Type } from '@vid/kernel'

/** Writes a line about each result into a ledger. */
export default defineDelivery({
  name: '@acme/vid-deliver-ledger',
  options: Type.Object({
    /** Absolute path of the ledger. */
    ledger: Type.String(),
  }),
  async deliver(artifact, { outputPath, frames, fileSize }, { options, signal }) {
    const sha256 = createHash('sha256')
      .update(await readFile(artifact.path, { signal }))
      .digest('hex')
    const line = { name: basename(outputPath), frames, fileSize, sha256 }
    await appendFile(options.ledger, `${JSON.stringify(line)}\n`)
  },
})
