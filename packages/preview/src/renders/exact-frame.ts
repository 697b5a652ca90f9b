import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { defined, type Renderer } from '@vid/render'
import { scratchName } from '@vid/system'
import type { FrameBody } from '../api.ts'

/** The PNG of one frame as a render captures it; the browser stays open for the next one. */
export const captureExact = async (
  renderer: Pick<Renderer, 'takeStills'>,
  { projectDir, scratch }: { readonly projectDir: string; readonly scratch: string },
  { entry, frame, fps, variables, alpha }: FrameBody,
  signal: AbortSignal,
): Promise<Buffer> => {
  const folder = join(scratch, scratchName('frame-'))
  try {
    const { snapshots } = await renderer.takeStills(
      {
        projectDir,
        entry,
        output: folder,
        at: `${frame}f`,
        ...defined({ fps, variables, alpha }),
      },
      { signal },
    )
    return await readFile(snapshots[0]?.path ?? '')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
