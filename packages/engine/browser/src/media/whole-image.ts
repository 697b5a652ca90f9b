import { constants, open } from 'node:fs/promises'
import type { ExtractJob } from '@vid/ffmpeg'
import { rethrowMachineFault } from '@vid/protocol'

/** The last bytes of every complete image. */
const ENDS: Readonly<Record<ExtractJob['frameFormat'], Buffer>> = {
  jpg: Buffer.from('ffd9', 'hex'),
  png: Buffer.from('49454e44ae426082', 'hex'),
}

/** Whether an image is complete; on a full disk, ffmpeg leaves a truncated file under the final name. */
export const isWholeImage = async (file: string, format: ExtractJob['frameFormat']): Promise<boolean> => {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW).catch(rethrowMachineFault)
  if (!handle) return false
  try {
    const end = ENDS[format]
    const { size } = await handle.stat()
    const tail = Buffer.alloc(end.length)
    await handle.read(tail, 0, end.length, Math.max(0, size - end.length))
    return tail.equals(end)
  } finally {
    await handle.close()
  }
}
