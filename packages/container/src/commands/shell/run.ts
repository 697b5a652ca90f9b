import { resolve } from 'node:path'
import type { CommandRun } from '@vid/command'
import { findEngine } from '../../engine/find-engine.ts'
import { ensureImage } from '../../image/ensure-image.ts'
import { containerSettings } from '../../run/settings.ts'
import { openShell } from '../../run/shell.ts'
import type { shellOptions } from '../options.ts'

/** `vid container shell`: resolves to the exit code of the shell. */
export const runContainerShell = async (run: CommandRun<typeof shellOptions, { readonly dir: string }>) => {
  const { cwd, env, signal, stdin, stderr, options } = run
  const engine = await findEngine(env, signal)
  const image = await ensureImage(engine, {
    env,
    signal,
    onText: (text) => void stderr.write(text),
  })
  const settings = containerSettings(options.network === undefined ? {} : { network: options.network })
  const isTerminal = (stdin as NodeJS.ReadStream).isTTY === true
  const projectDir = resolve(cwd, run.arguments.dir)
  return { code: await openShell(engine, image, { projectDir, settings, isTerminal, signal }) }
}
