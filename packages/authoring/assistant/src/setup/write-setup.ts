import { chmod, mkdir, realpath, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describeCause } from '@vid/protocol'
import { isWithin, writeWhole } from '@vid/system'
import { fail } from '../errors.ts'
import { type PlannedFile, readProjectText } from './plan-setup.ts'

const writeFileOf = async (folder: string, { file, before, after }: PlannedFile): Promise<void> => {
  const path = join(folder, file)
  await mkdir(dirname(path), { recursive: true })
  if (!isWithin(await realpath(dirname(path)), folder))
    throw fail('VID_SETUP_SETTINGS', { file, reason: 'its folder is a link that leads out of the project' })
  if (before === null) return writeFile(path, after, { flag: 'wx' })
  const place = await realpath(path)
  const { mode } = await stat(place)
  await writeWhole(place, async (partial) => {
    await writeFile(partial, after, { flag: 'wx' })
    await chmod(partial, mode)
  })
}

/** Writes what was planned and shown; refuses all of it where a file has changed since. */
export const writeSetup = async (folder: string, files: readonly PlannedFile[], signal: AbortSignal): Promise<void> => {
  const changed = files.filter(({ action }) => action === 'create' || action === 'change')
  for (const { file, before } of changed)
    if ((await readProjectText(folder, file)) !== before)
      throw fail('VID_SETUP_SETTINGS', { file, reason: 'it changed after its changes were shown' })
  for (const planned of changed) {
    signal.throwIfAborted()
    await writeFileOf(folder, planned).catch((cause: unknown) => {
      if ((cause as { code?: string }).code?.startsWith('VID_')) throw cause
      throw fail('VID_SETUP_SETTINGS', { file: planned.file, reason: describeCause(cause) }, { cause })
    })
  }
}
