import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type CommandRun, confirm, itemsOf } from '@vid/command'
import { describeCause } from '@vid/protocol'
import { fail } from '../errors.ts'
import { chooseAssistants, planSetup } from '../setup/plan-setup.ts'
import { planLines, type SetupResult } from '../setup/setup-text.ts'
import { writeSetup } from '../setup/write-setup.ts'
import { assistantVersion } from '../version.ts'
import type { setupOptions } from './setup-options.ts'

/** `vid assistant setup`: shows what it will write, and writes that. */
export const runSetup = async (
  run: CommandRun<typeof setupOptions, { readonly dir: string }>,
): Promise<SetupResult> => {
  const { cwd, options, report, signal } = run
  const { dir } = run.arguments
  const folder = await realpath(resolve(cwd, dir)).catch((cause: unknown) => {
    throw fail('VID_SETUP_SETTINGS', { file: dir, reason: describeCause(cause) }, { cause })
  })
  const chosen = await chooseAssistants(folder, itemsOf(options.for) ?? [])
  const files = await planSetup(folder, chosen, await assistantVersion())
  const changed = files.filter(({ action }) => action === 'create' || action === 'change')
  for (const line of planLines(files)) report.result(line)
  const isWritten = options['dry-run'] !== true && changed.length > 0
  if (isWritten) {
    if (options.confirm !== false) await confirm(`writing ${changed.length} files into ${folder}`, run)
    await writeSetup(folder, files, signal)
  }
  return {
    folder,
    assistants: chosen.map(({ name }) => name),
    files: files.map(({ file, action, reason }) => ({ file, action, reason })),
    written: isWritten,
  }
}
