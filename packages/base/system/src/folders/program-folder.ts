import { access, constants, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { scratchName } from './scratch.ts'

/** Why a folder is no place for programs, as the end of a sentence. */
export const RUNS_NO_PROGRAMS = 'the system runs no programs from there, as with the mount option noexec'

/** Whether the system runs programs from a folder; rejects where no file can be made there. */
export const runsPrograms = async (folder: string): Promise<boolean> => {
  const program = join(folder, scratchName('.runs-'))
  await writeFile(program, '', { flag: 'wx', mode: 0o700 })
  try {
    return await access(program, constants.X_OK).then(
      () => true,
      () => false,
    )
  } finally {
    await rm(program, { force: true })
  }
}
