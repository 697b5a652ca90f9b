import { chown, mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { fail } from '../errors.ts'
import { SEGMENTS_FOLDER } from '../order.ts'
import type { Mount } from './mounts.ts'
import type { ContainerUser } from './user.ts'

/**
 * Makes the folder of kept segments, which a container may write to. It is not the one of renders on this machine: these
 * trust what is in theirs. A project that leads elsewhere with a link is refused.
 */
export const segmentsMount = async (projectDir: string, { owner }: ContainerUser): Promise<Mount> => {
  const parts = ['.vid', 'container'] as const
  let source = await realpath(projectDir)
  for (const part of parts) {
    source = join(source, part)
    await mkdir(source, { recursive: true })
    if ((await realpath(source)) !== source)
      throw fail('VID_CONTAINER_FOLDER', { path: source, covers: 'what its link leads to' })
  }
  if (owner) await chown(source, owner.uid, owner.gid)
  return { source, destination: SEGMENTS_FOLDER, isReadOnly: false }
}
